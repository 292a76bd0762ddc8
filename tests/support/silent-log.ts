import type { Log } from 'crier-server/lib/process/log.ts'

const nothing = () => {}

/** A log that prints nothing. */
export const silentLog: Log = { debug: nothing, info: nothing, warn: nothing, error: nothing }
