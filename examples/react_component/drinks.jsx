import { Reporter } from "hgldp";
import { useEffect, useState } from "react";

/** A reporter that lives as long as the component. */
const useReporter = (options) => {
  const [reporter, setReporter] = useState();
  useEffect(() => {
    const started = new Reporter(options);
    setReporter(started);
    return () => started.close();
  }, [options]);
  return reporter;
};

/** One button for each drink, and what was sent. */
export const Drinks = ({ drinks, options }) => {
  const hot = useReporter(options);
  const [said, setSaid] = useState("Nothing pressed yet.");
  const send = async () => setSaid((await hot.flush()) ? "sent" : "not sent yet");
  return (
    <>
      {drinks.map((drink) => (
        <button key={drink} onClick={() => setSaid(hot.report(drink))}>
          {drink}
        </button>
      ))}
      <p>
        <button onClick={send}>Send now</button> <output>{said}</output>
      </p>
      <hgldp-privacy-panel />
    </>
  );
};
