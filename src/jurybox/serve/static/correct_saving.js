// Saves drafts one after another. What could not be sent is sent again, unchanged, until the server
// answers: so it can tell a second try from the work of another window.
(() => {
  "use strict";

  const pause = (seconds) =>
    new Promise((resolve) => {
      setTimeout(resolve, 1000 * seconds);
      window.addEventListener("online", resolve, { once: true });
    });

  class Saver {
    // fields: what every save sends along; tell(state, answer) is called whenever something changes
    constructor(address, fields, version, tell) {
      this.address = address;
      this.fields = fields;
      this.version = version;
      this.tell = tell;
      this.waiting = null;
      this.isSaved = true;
      this.isHeld = false; // another window's version is stored: somebody must choose
      this.done = Promise.resolve();
      this.isRunning = false;
    }

    save(rows) {
      this.waiting = rows;
      this.isSaved = false;
      this.#run();
    }

    // the version on this page wins over the other window's
    overrule(version, rows) {
      this.version = version;
      this.isHeld = false;
      this.save(rows);
    }

    // whether everything is saved, once nothing is on its way any more; what was refused is tried
    // once more, for the reason may be gone
    async flush(rows) {
      if (!this.isSaved && !this.isRunning) this.save(rows);
      await this.done;
      return this.isSaved;
    }

    #run() {
      if (this.isRunning || this.isHeld) return;
      this.isRunning = true;
      this.done = this.#work().finally(() => {
        this.isRunning = false;
      });
    }

    async #work() {
      while (this.waiting && !this.isHeld) {
        const rows = this.waiting;
        this.waiting = null;
        await this.#deliver(rows);
      }
    }

    async #deliver(rows) {
      for (let tries = 0; ; tries += 1) {
        this.tell("saving", {});
        const { status, told } = await this.#send(rows);
        if (status === 200) {
          this.version = told.version;
          this.isSaved = !this.waiting;
          this.tell("saved", told);
          return;
        }
        if (status === 409) {
          this.isHeld = true;
          this.tell("conflict", told);
          return;
        }
        if (status >= 400 && status < 500 && status !== 429) {
          this.tell("refused", { status, ...told });
          return;
        }
        this.tell("retrying", {});
        await pause(Math.min(30, 2 ** tries));
      }
    }

    async #send(rows) {
      const body = new FormData();
      for (const [name, value] of Object.entries(this.fields)) body.append(name, value);
      body.append("version", this.version);
      body.append("edits", JSON.stringify(rows));
      try {
        const response = await fetch(this.address, { method: "POST", body });
        return { status: response.status, told: await response.json().catch(() => ({})) };
      } catch {
        return { status: 0, told: {} };
      }
    }
  }

  globalThis.Saver = Saver;
})();
