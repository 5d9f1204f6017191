"use strict";
// What any page does: colours, contents, tables that sort, signatures that can be copied.
// Buttons are made here, so that without JavaScript there is none that does nothing.
(() => {
  const root = document.documentElement;
  root.classList.add("scripted");

  function makeButton(words, action) {
    const button = document.createElement("button");
    button.type = "button";
    button.textContent = words;
    button.addEventListener("click", () => action(button));
    return button;
  }

  // Light and dark: as the reader's machine has it, until the button is pressed. Nothing is stored.
  function offerColours(nav) {
    const machine = matchMedia("(prefers-color-scheme: dark)");
    const isDark = () => (root.dataset.colours ? root.dataset.colours === "dark" : machine.matches);
    const name = (button) => {
      button.textContent = isDark() ? "Light colours" : "Dark colours";
    };
    const button = makeButton("", (pressed) => {
      root.dataset.colours = isDark() ? "light" : "dark";
      name(pressed);
    });
    button.className = "colours";
    name(button);
    machine.addEventListener("change", () => name(button));
    nav.append(button);
  }

  // Contents: always open beside the text, folded away above it on a narrow screen.
  function foldContents(details) {
    const narrow = matchMedia("(max-width: 60rem)");
    const fold = () => {
      details.open = !narrow.matches;
    };
    fold();
    narrow.addEventListener("change", fold);
    details.addEventListener("click", (event) => {
      if (narrow.matches && event.target.closest("a")) details.open = false;
    });
  }

  // Paper has no way to unfold a table, so a few are printed; dozens of them would drown the rest.
  const FEW_TABLES = 12;
  function unfoldForPaper(folded) {
    addEventListener("beforeprint", () => {
      for (const details of folded) {
        if (details.querySelectorAll("table").length <= FEW_TABLES) details.open = true;
      }
    });
  }

  function followReading(nav) {
    const links = new Map();
    for (const link of nav.querySelectorAll("a")) {
      const target = document.getElementById(link.hash.slice(1));
      if (target) links.set(target, link);
    }
    const seen = new Set();
    const watcher = new IntersectionObserver(
      (changes) => {
        for (const { target, isIntersecting } of changes) {
          if (isIntersecting) seen.add(target);
          else seen.delete(target);
        }
        const first = [...links.keys()].find((target) => seen.has(target));
        if (!first) return;
        for (const [target, link] of links) {
          if (target === first) link.setAttribute("aria-current", "true");
          else link.removeAttribute("aria-current");
        }
      },
      { rootMargin: "-10% 0px -60% 0px" },
    );
    for (const target of links.keys()) watcher.observe(target);
  }

  // A key to sort by: a number where the cell has one, words otherwise, null where it is missing.
  function keyOf(cell, isWords) {
    const written = cell.dataset.key ?? cell.textContent;
    if (cell.dataset.key === "") return null;
    if (isWords) return written;
    const number = Number(written.replace("inf", "Infinity"));
    return Number.isNaN(number) ? written : number;
  }

  const words = new Intl.Collator(undefined, { numeric: true });

  function compareKeys(one, other) {
    const numbers = [typeof one === "number", typeof other === "number"];
    if (numbers[0] && numbers[1]) return one - other;
    if (numbers[0] !== numbers[1]) return numbers[0] ? -1 : 1;
    return words.compare(one, other);
  }

  // What is missing stays last, whichever way round.
  function sortRows(rows, column, isWords, direction) {
    const keyed = rows.map((row) => [keyOf(row.cells[column], isWords), row]);
    const present = keyed.filter(([key]) => key !== null);
    present.sort(([one], [other]) => direction * compareKeys(one, other));
    return [...present, ...keyed.filter(([key]) => key === null)].map(([, row]) => row);
  }

  // One press sorts, best first for numbers; a second turns round; a third gives the order back.
  function makeSortable(table) {
    const body = table.tBodies[0];
    const given = [...body.rows];
    if (given.length < 2) return;
    const heads = [...table.tHead.rows[0].cells];
    heads.forEach((head, column) => {
      if (!head.textContent) return;
      const isWords = head.classList.contains("words");
      const turns = isWords ? ["ascending", "descending"] : ["descending", "ascending"];
      const button = makeButton(head.textContent, () => {
        const turn = turns[turns.indexOf(head.getAttribute("aria-sort")) + 1];
        for (const other of heads) other.removeAttribute("aria-sort");
        if (turn) head.setAttribute("aria-sort", turn);
        const direction = turn === "ascending" ? 1 : -1;
        body.append(...(turn ? sortRows(given, column, isWords, direction) : given));
      });
      head.replaceChildren(button);
    });
  }

  // The clipboard is only open to pages that were opened in some ways; marking always works.
  async function copyText(code) {
    const selection = getSelection();
    selection.selectAllChildren(code);
    try {
      await navigator.clipboard.writeText(code.textContent);
      return true;
    } catch {
      return document.execCommand("copy");
    }
  }

  function offerCopy(code) {
    const name = `Copy ${code.dataset.copy}`;
    const button = makeButton("Copy", async () => {
      button.textContent = (await copyText(code)) ? "Copied" : "Marked: press Ctrl+C";
      setTimeout(() => {
        button.textContent = "Copy";
      }, 2000);
    });
    button.title = name;
    button.className = "copy";
    code.after(" ", button);
  }

  // A box is a stop for the Tab key only while there is something to scroll.
  function stopWhereItScrolls(boxes) {
    const watcher = new ResizeObserver((changes) => {
      for (const { target } of changes) {
        const scrolls = target.scrollWidth > target.clientWidth + 1;
        target.classList.toggle("scrolls", scrolls);
        if (scrolls) target.tabIndex = 0;
        else target.removeAttribute("tabindex");
      }
    });
    for (const box of boxes) watcher.observe(box);
  }

  const nav = document.querySelector("nav.contents");
  offerColours(nav);
  foldContents(nav.querySelector("details"));
  unfoldForPaper(document.querySelectorAll("details.more"));
  followReading(nav);
  document.querySelectorAll("table.sortable").forEach(makeSortable);
  document.querySelectorAll("code[data-copy]").forEach(offerCopy);
  stopWhereItScrolls(document.querySelectorAll(".scroll"));
})();
