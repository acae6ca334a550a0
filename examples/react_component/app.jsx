import { definePanel } from "hgldp/panel";
import { StrictMode, useState } from "react";
import { createRoot } from "react-dom/client";
import { Drinks } from "./drinks.jsx";
import list from "./drinks.txt";

definePanel();
const drinks = list.trim().split("\n");

const App = () => {
  const [open, setOpen] = useState(true);
  return (
    <>
      <h1>What would you like to drink?</h1>
      <p>
        <button onClick={() => setOpen(!open)}>{open ? "Leave" : "Come back"}</button>
      </p>
      {open && <Drinks drinks={drinks} options={globalThis.OPTIONS} />}
    </>
  );
};

createRoot(document.querySelector("#app")).render(
  <StrictMode>
    <App />
  </StrictMode>,
);
