import type { Log } from 'crier-server/lib/process/log.ts'

const nothing = () => {}

/** For what is tested by what it does, not by what it reports. */
export const silentLog: Log = { debug: nothing, info: nothing, warn: nothing, error: nothing }
