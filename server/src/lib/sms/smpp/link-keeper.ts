/** Keeps the link of this process: opens it when it is needed, and again when it is lost. */
import type { Log } from '../../process/log.ts'
import { Unreachable } from '../../transport/unreachable.ts'
import type { SmsOptions } from '../sms-url.ts'
import { bindRefused, encodeBind } from './bind.ts'
import { connect, type Trust } from './connect.ts'
import { createLink, type Deadlines, type Hear, type Link } from './link.ts'
import { command } from './pdu.ts'

export interface LinkKeeper {
  /** The open link, or a new one; throws Unreachable. */
  get(): Promise<Link>
  /** The open link. */
  readonly link: Link | undefined
  /** Keeps a link open from now on, so that messages from the SMSC are received. */
  keep(): void
  close(): Promise<void>
}

export interface KeeperDeps {
  options: SmsOptions
  deadlines: Deadlines
  log: Log
  hear: Hear
  trust: Trust
  /** Milliseconds to wait after each failure in a row; the last applies to all that follow. */
  pauses: readonly number[]
}

export function createLinkKeeper(deps: KeeperDeps): LinkKeeper {
  const { options, deadlines, log, hear, trust, pauses } = deps
  let link: Link | undefined
  let opening: Promise<Link> | undefined
  let failures = 0
  let lastFailure: { fault: Unreachable; until: number } | undefined
  let keeping: NodeJS.Timeout | undefined
  let kept = false
  let closed = false

  const open = async (): Promise<Link> => {
    const socket = await connect(options, deadlines.openMs, trust)
    const fresh = createLink(socket, deadlines, hear)
    const late = setTimeout(() => socket.destroy(), deadlines.openMs)
    const bound = await fresh.ask(command.bindTransceiver, encodeBind(options))
    clearTimeout(late)
    if (bound.result === 'answered' && bound.status === 0) return fresh
    socket.destroy()
    if (bound.result === 'answered') throw bindRefused(bound.status)
    throw new Unreachable('EBIND', 'the SMSC does not answer when we bind')
  }
  const opened = async (): Promise<Link> => {
    try {
      link = await open()
    } catch (error) {
      if (!(error instanceof Unreachable)) throw error
      const pause = pauses[Math.min(failures++, pauses.length - 1)] ?? 0
      lastFailure = { fault: error, until: performance.now() + pause }
      log.error({ code: error.code, words: error.words }, 'sms_link_refused')
      again(pause)
      throw error
    }
    failures = 0
    lastFailure = undefined
    log.info('sms_link_bound')
    void link.ended.then(() => {
      link = undefined
      if (closed) return
      log.warn('sms_link_lost')
      again(pauses[0] ?? 0)
    })
    return link
  }
  const again = (pause: number): void => {
    if (!kept || closed) return
    clearTimeout(keeping)
    const tryAgain = () => {
      // The pause is over, even if the timer fires slightly early.
      lastFailure = undefined
      get().catch(() => {})
    }
    keeping = setTimeout(tryAgain, pause).unref()
  }
  const get = async (): Promise<Link> => {
    if (link?.open) return link
    if (closed) throw new Unreachable('ECLOSED')
    // A caller during the pause after a failure gets the SMSC's last error.
    if (lastFailure && performance.now() < lastFailure.until) throw lastFailure.fault
    opening ??= opened().finally(() => {
      opening = undefined
    })
    return opening
  }
  return {
    get,
    get link() {
      return link?.open ? link : undefined
    },
    keep() {
      kept = true
      again(0)
    },
    async close() {
      closed = true
      clearTimeout(keeping)
      await opening?.catch(() => {})
      await link?.close()
    },
  }
}
