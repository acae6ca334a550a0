/** What is bought is randomised here. The shop learns it anyway; the collector does not. */

const { url, task, key, maxEpsilon } = document.body.dataset;
const hot = new hgldp.Reporter({ url, task, key, maxEpsilon: Number(maxEpsilon) });

document.querySelector("#products").addEventListener("submit", async (event) => {
  event.preventDefault();
  const order = new URLSearchParams([["product", event.submitter.value], ["randomised", "in the browser"]]);
  hot.report(event.submitter.value); // whatever comes of it: nobody reports this purchase again
  const answer = await fetch("/buy", { method: "POST", body: order });
  document.querySelector("#said").value = answer.ok ? "Bought." : "Not bought.";
});
