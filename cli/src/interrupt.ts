/** Ctrl-C: stops waiting, but lets a token refresh that is under way be stored first. */
import { CommandError } from './failure.ts'

/**
 * Runs `work` with a signal that Ctrl-C aborts. The process then ends when nothing
 * is left to do, so that a refresh token is not lost between the server's answer
 * and the file; a second Ctrl-C ends it at once.
 */
export async function interruptible<T>(work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const controller = new AbortController()
  const stop = (): void => controller.abort(new CommandError('interrupted', 'Stopped.'))
  process.once('SIGINT', stop)
  try {
    return await work(controller.signal)
  } finally {
    process.off('SIGINT', stop)
  }
}
