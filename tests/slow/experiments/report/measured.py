"""What of a page sticks out, is cut off or is too small to be read, as a browser lays it out."""

from selenium import webdriver

STICKING_OUT = """
const page = document.documentElement.clientWidth, found = [];
const name = element => `${element.tagName} ${element.className.baseVal ?? element.className}`;
const tell = (element, what) => found.push(`${name(element)}: ${what}`);
if (document.documentElement.scrollWidth > page) tell(document.documentElement, "scrolls sideways");
for (const element of document.body.querySelectorAll("*")) {
  if (element.parentElement.closest("svg, .wide")) continue;
  const box = element.getBoundingClientRect();
  if (!box.width) continue;
  if (box.left < -1 || box.right > page + 1) tell(element, `from ${box.left} to ${box.right} of ${page}`);
  const scrolls = getComputedStyle(element).overflowX !== "visible" && !element.matches("svg, .wide");
  if (scrolls && element.scrollWidth > element.clientWidth + 1) tell(element, "holds more than it shows");
}
return found.slice(0, 20);
"""
CUT_OFF = """
const found = [];
for (const text of document.querySelectorAll(".panels text")) {
  const inner = text.getBoundingClientRect(), outer = text.ownerSVGElement.getBoundingClientRect();
  const across = [outer.left - inner.left, inner.right - outer.right];
  const sides = [...across, outer.top - inner.top, inner.bottom - outer.bottom];
  if (Math.max(...sides) > 1) found.push(`${text.textContent}: ${sides}`);
}
return found.slice(0, 20);
"""
SMALLEST = """
const sizes = [...document.querySelectorAll(".panels text")].map(
  text => parseFloat(getComputedStyle(text).fontSize) * Math.hypot(text.ownerSVGElement.getScreenCTM().a, 0));
return Math.min(...sizes);
"""
UNFOLD = "document.querySelectorAll('details').forEach(each => { each.open = true })"


def sticking_out(driver: webdriver.Chrome) -> list[str]:
    """Elements that reach beyond the page or are cut off; only a table's own box may scroll."""
    found: list[str] = driver.execute_script(STICKING_OUT)
    return found


def cut_off(driver: webdriver.Chrome) -> list[str]:
    """Words of figures that lie outside their panel."""
    found: list[str] = driver.execute_script(CUT_OFF)
    return found


def smallest_text(driver: webdriver.Chrome) -> float:
    """The size of the smallest letters in a figure, in pixels of the screen."""
    return float(driver.execute_script(SMALLEST))


def unfold(driver: webdriver.Chrome) -> None:
    """Open everything that is folded."""
    driver.execute_script(UNFOLD)
