// Keys for answers: every element with data-key is pressed by that key. Pages work without this.
(() => {
  "use strict";
  const places = document.querySelectorAll("[data-key]");
  const byKey = new Map([...places].map((place) => [place.dataset.key, place]));
  let sent = false;

  const isTyping = (target) =>
    target instanceof HTMLInputElement
      ? !["radio", "checkbox"].includes(target.type)
      : target instanceof HTMLTextAreaElement || target instanceof HTMLSelectElement;

  const press = (place) => {
    place.click();
    // the words that go with an answer are typed next
    const words = place.closest(".verdict")?.querySelector(".words input");
    (words ?? place).focus();
  };

  document.addEventListener("keydown", (event) => {
    // a key that is still held down from the case before is no answer to this one
    if (event.repeat || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.isComposing || isTyping(event.target)) return;
    const place = byKey.get(event.key) ?? byKey.get(event.key.toLowerCase());
    if (!place || (event.key === "Enter" && event.target.closest("a, button"))) return;
    event.preventDefault();
    press(place);
  });

  // one answer per case, however often a button is pressed
  document.querySelector("form[data-keys]")?.addEventListener("submit", (event) => {
    if (sent) event.preventDefault();
    sent = true;
  });
  window.addEventListener("pageshow", () => {
    sent = false;
  });
})();
