/** Sets the clock of a process ahead by CLOCK_AHEAD_MS, as that of a wrongly set machine. */
const ahead = Number(process.env.CLOCK_AHEAD_MS)
const RealDate = Date
globalThis.Date = class extends RealDate {
  constructor(...args) {
    if (args.length === 0) super(RealDate.now() + ahead)
    else super(...args)
  }
  static now() {
    return RealDate.now() + ahead
  }
}
