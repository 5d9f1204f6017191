// Asks for the board every few seconds and changes what is different. Pages work without this.
(() => {
  "use strict";
  const board = document.getElementById("board");
  const pause = document.getElementById("pause");
  const trouble = document.getElementById("trouble");
  const every = 1000 * Number(board.dataset.every);
  const longest = 60_000;
  // parts as the server sent them: what a reader opened or scrolled is no difference
  const sent = new Map([...board.children].map((part) => [part.id, part.outerHTML]));
  let timer = 0;
  let wait = every;
  let paused = false;

  const say = (text) => {
    if (trouble.textContent !== text) trouble.textContent = text;
    trouble.hidden = !text;
  };

  // what a reader did to a part: opened tables, scrolled, stands somewhere by keyboard
  const kept = (part) => ({
    open: [...part.querySelectorAll("details[open]")].map((one) => one.id),
    scrolled: [...part.querySelectorAll(".scroll")].map((one) => one.scrollLeft),
    focus: [...part.querySelectorAll("a, summary, .scroll")].indexOf(document.activeElement),
  });

  const restore = (part, was) => {
    for (const id of was.open) document.getElementById(id)?.setAttribute("open", "");
    part.querySelectorAll(".scroll").forEach((one, place) => {
      one.scrollLeft = was.scrolled[place] ?? 0;
    });
    if (was.focus >= 0) {
      part.querySelectorAll("a, summary, .scroll")[was.focus]?.focus({ preventScroll: true });
    }
  };

  const show = (text) => {
    const found = new DOMParser().parseFromString(text, "text/html").body;
    const parts = [...found.children];
    if (parts.map((part) => part.id).join() !== [...board.children].map((part) => part.id).join()) {
      board.replaceChildren(...parts);
      parts.forEach((part) => sent.set(part.id, part.outerHTML));
      return;
    }
    for (const part of parts) {
      if (sent.get(part.id) === part.outerHTML) continue;
      sent.set(part.id, part.outerHTML);
      const before = document.getElementById(part.id);
      const was = kept(before);
      before.replaceWith(part);
      restore(part, was);
    }
  };

  const ask = async () => {
    try {
      const answer = await fetch(board.dataset.from, { cache: "no-store" });
      if (answer.status === 403) {
        say("You are not logged in any more, so nothing is updated. Log in and reload the page.");
        paused = true;
        pause.hidden = true;
        return;
      }
      if (!answer.ok) throw new Error(String(answer.status));
      const text = await answer.text();
      if (paused) return;
      show(text);
      say("");
      wait = every;
    } catch {
      wait = Math.min(2 * wait, longest);
      say("The server does not answer, so these numbers are old. It is tried again.");
    }
  };

  const next = () => {
    clearTimeout(timer);
    if (paused || document.hidden) return;
    timer = setTimeout(async () => {
      await ask();
      next();
    }, wait);
  };

  const now = async () => {
    clearTimeout(timer);
    await ask();
    next();
  };

  pause.hidden = false;
  pause.addEventListener("click", () => {
    paused = !paused;
    pause.setAttribute("aria-pressed", String(paused));
    if (paused) clearTimeout(timer);
    else now();
  });
  document.addEventListener("visibilitychange", () => {
    if (document.hidden) clearTimeout(timer);
    else if (!paused) now();
  });
  next();
})();
