/**
 * Logs are JSON lines for machines. A line contains an event's name, our own ids and numbers, and
 * never an address, a token or a body.
 */
import { type DestinationStream, type Logger, pino } from 'pino'

export type Log = Pick<Logger, 'debug' | 'info' | 'warn' | 'error'> &
  Partial<Pick<Logger, 'isLevelEnabled'>>

/** Which process wrote a line, where several nodes write into one place. */
export interface LogSource {
  role: string
  node: string
  pid: number
}

/** Writes to standard output, or to `to`. */
export function createLog(level: string, to?: DestinationStream, source?: LogSource): Logger {
  const options = {
    level,
    base: source ?? null,
    // By name, since a number needs a table to be read.
    formatters: { level: (name: string) => ({ level: name }) },
    timestamp: pino.stdTimeFunctions.isoTime,
    serializers: { err: errorFacts, error: errorFacts },
    hooks: { logMethod: nameEvent },
  }
  return to ? pino(options, to) : pino(options)
}

const placesOfStack = 5

/** Messages of errors may quote input. The class, the code and the stack's places suffice. */
function errorFacts(error: unknown): Record<string, unknown> {
  if (!(error instanceof Error)) return { type: typeof error }
  const { code } = error as { code?: unknown }
  // The message precedes the places and may itself have several lines.
  const places = error.stack?.replace(error.message, '').split('\n') ?? []
  return {
    type: error.name,
    ...(typeof code === 'string' && { code }),
    at: places
      .filter((line) => line.startsWith('    at '))
      .slice(0, placesOfStack)
      .map((line) => line.trim()),
  }
}

/** Where no event is named, pino would use an error's message as the event. */
function nameEvent(
  this: Logger,
  args: Parameters<Logger['info']>,
  method: (...args: Parameters<Logger['info']>) => void,
): void {
  const [facts, event] = args as [unknown, string | undefined]
  if (typeof facts === 'string' || event !== undefined) method.apply(this, args)
  else method.call(this, facts instanceof Error ? { err: facts } : facts, 'unnamed')
}

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
