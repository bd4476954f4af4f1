/** Wakes one sleeper. If nobody sleeps, the next sleep ends at once. */
export function createAlarm() {
  let isRung = false;
  let wake: () => void = () => undefined;
  return {
    ring(): void {
      isRung = true;
      wake();
    },
    async sleep(msMax: number): Promise<void> {
      if (!isRung) {
        await new Promise<void>((resolve) => {
          const timer = setTimeout(resolve, msMax).unref();
          wake = () => {
            clearTimeout(timer);
            resolve();
          };
        });
      }
      isRung = false;
    },
  };
}
