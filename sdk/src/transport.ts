/**
 * How a page talks to its collector: silently, so that no header, cookie, cache or address tells one visitor from another, and
 * at times drawn by lot.
 */

import { pick } from "./exact.js";
import { must } from "./task.js";
import { hex } from "./upload.js";

declare const WITH_LISTS: boolean;

const LONGEST_REQUEST = 30_000;
const LONGEST_LIST = 500_000;
const MOST_BYTES = 1 << 20;
const LONGEST_PAUSE = 300;

/** Between half of some seconds and all of them, so that visitors do not come together. */
export const blurred = (seconds: number): number => seconds * (0.5 + pick(1e6) / 2e6);

/** Seconds until the next try. Every failure doubles them. */
export const pause = (failures: number): number => blurred(Math.min(LONGEST_PAUSE, 2 ** failures));

/** An answer: its status, its body, and for how many seconds it asks to wait (NaN: not in seconds). */
export type Answer = [status: number, body: Uint8Array, wait: number];

/** Ask for a document, or send one. The answer may have so many bytes, a megabyte unless given. */
export type Ask = (path: string, body?: Uint8Array, mostBytes?: number) => Promise<Answer>;

/** Requests to one collector, until a signal ends them. */
export const transport = (url: string, key: string, stop: () => AbortSignal): Ask => {
  const base = url.replace(/\/$/, "");
  return async (path, body, left = MOST_BYTES) => {
    const answer = await fetch(base + "/v1/" + path, {
      method: body ? "POST" : "GET",
      headers: body ? { "content-type": "text/plain" } : { authorization: "Bearer " + key },
      body: body as BodyInit,
      keepalive: !!body,
      credentials: "omit",
      cache: "no-store",
      redirect: "error",
      referrerPolicy: "no-referrer",
      signal: AbortSignal.any([AbortSignal.timeout(WITH_LISTS && /^hints/.test(path) ? LONGEST_LIST : LONGEST_REQUEST), stop()]),
    });
    const parts: BlobPart[] = [];
    const reader = answer.body!.getReader();
    for (let part; !(part = await reader.read()).done; parts.push(part.value))
      must((left -= part.value.length) >= 0);
    const bytes = await new Blob(parts).arrayBuffer();
    return [answer.status, new Uint8Array(bytes), +answer.headers.get("retry-after")!];
  };
};

/** The SHA-256 of some parts, in hexadecimal. */
export const sha256 = async (...parts: (string | Uint8Array)[]): Promise<string> => {
  const digest = await crypto.subtle.digest("SHA-256", await new Blob(parts as BlobPart[]).arrayBuffer());
  return hex(new Uint8Array(digest));
};
