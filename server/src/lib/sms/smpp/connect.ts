/** The TCP or TLS connection below a link. */
import { connect as connectTcp, type Socket } from 'node:net'
import { Unreachable } from '../../transport/unreachable.ts'
import type { SmsOptions } from '../sms-url.ts'

export interface Trust {
  /** Certificates to trust instead of the system's, for tests. */
  ca?: string
}

export async function connect(
  { host, port, secure }: Pick<SmsOptions, 'host' | 'port' | 'secure'>,
  ms: number,
  trust: Trust,
): Promise<Socket> {
  const tls = secure ? await import('node:tls') : undefined
  return new Promise((resolve, reject) => {
    const socket = tls
      ? tls.connect({ host, port, servername: nameOf(host), ...trust })
      : connectTcp({ host, port })
    socket.setNoDelay(true)
    const late = setTimeout(() => fail({ code: 'ETIMEDOUT' }), ms)
    const fail = ({ code = 'ESOCKET' }: { code?: string }) => {
      clearTimeout(late)
      socket.destroy()
      reject(new Unreachable(code, `the SMSC cannot be reached (${code})`))
    }
    socket.once('error', fail)
    socket.once(tls ? 'secureConnect' : 'connect', () => {
      clearTimeout(late)
      socket.off('error', fail)
      resolve(socket)
    })
  })
}

/** A certificate cannot be requested for an IP address by SNI. */
function nameOf(host: string): string {
  return /^[\d.]+$|:/.test(host) ? '' : host
}
