import type { Log } from './log.ts'

/**
 * A log in which errors that `isKnown` recognises are debug lines: something else tells of their
 * common cause once, and they would repeat it with every call.
 */
export function quietLog(log: Log, isKnown: (error: unknown) => boolean): Log {
  const quieter =
    (level: 'warn' | 'error'): Log['warn'] =>
    (...args: unknown[]) => {
      const [facts] = args
      const isQuiet =
        typeof facts === 'object' && facts !== null && 'err' in facts && isKnown(facts.err)
      const say = log[isQuiet ? 'debug' : level] as (...args: unknown[]) => void
      say.apply(log, args)
    }
  return {
    debug: log.debug.bind(log),
    info: log.info.bind(log),
    warn: quieter('warn'),
    error: quieter('error'),
    ...(log.isLevelEnabled && { isLevelEnabled: log.isLevelEnabled.bind(log) }),
  }
}
