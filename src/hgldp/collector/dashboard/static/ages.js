// Ages of moments, in words, by the server's clock: the clock of this device may be wrong.

const relative = new Intl.RelativeTimeFormat("en", { numeric: "always", style: "short" });
const UNITS = [["second", 60], ["minute", 60], ["hour", 24], ["day", 30], ["month", 12], ["year", Infinity]];
let ahead = 0; // milliseconds that the server's clock is ahead of ours

/** The server has just said what time it is, in seconds since 1970. */
export function told(seconds) {
  ahead = 1000 * seconds - Date.now();
}

/** Write how long ago each moment on the page was; call it every second. */
export function ages() {
  const now = Date.now() + ahead;
  for (const time of document.querySelectorAll("time[datetime]")) {
    let amount = (Date.parse(time.dateTime) - now) / 1000, unit;
    time.title ||= new Date(time.dateTime).toLocaleString();
    for (const [name, size] of UNITS) {
      unit = name;
      if (Math.abs(amount) < size) break;
      amount /= size;
    }
    const text = unit === "second" && Math.abs(amount) < 2 ? "just now" : relative.format(Math.round(amount), unit);
    if (time.textContent !== text) time.textContent = text;
  }
}
