/** Checks the port where the service listens, and whether its public addresses are plausible. */

import { type Finding, fail, ok, warn } from '../checks/finding.ts'
import { type Config, isLoopbackUrl } from '../config.ts'
import { tryListening } from '../lib/process/listening.ts'

/** A running Crier service counts as a free port. */
export async function portFinding({ host, port }: Pick<Config, 'host' | 'port'>): Promise<Finding> {
  const address = `${host.includes(':') ? `[${host}]` : host}:${port}`
  if (await answersHealth(address)) return ok('port', `a service answers at ${address}`)
  try {
    await tryListening({ host, port })
    return ok('port', `${address} is free`)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'EADDRINUSE') {
      return fail('port', `${address} is in use by another program`, 'Stop it, or set PORT.')
    }
    return fail('port', `${address} cannot be listened on (${code})`, 'Set HOST or PORT.')
  }
}

async function answersHealth(address: string): Promise<boolean> {
  // A service that listens on every address responds on loopback.
  const reachable = address.replace(/^(0\.0\.0\.0|\[::\])/, 'localhost')
  try {
    const response = await fetch(`http://${reachable}/healthz`, {
      signal: AbortSignal.timeout(2_000),
    })
    const body = (await response.json()) as { status?: unknown }
    return response.ok && body.status === 'ok'
  } catch {
    return false
  }
}

type Addresses = Pick<
  Config,
  'baseUrl' | 'appUrl' | 'gatewayUrl' | 'port' | 'host' | 'trustProxy' | 'smtpUrl' | 'allowInbox'
>

export function publicFindings(config: Addresses): Finding[] {
  const urls = {
    BASE_URL: config.baseUrl,
    APP_URL: config.appUrl,
    GATEWAY_URL: config.gatewayUrl,
  }
  const found = Object.entries(urls).flatMap(([name, url]) => addressFindings(name, url, config))
  const isPublic = !isLoopbackUrl(config.appUrl)
  if (isPublic && !config.smtpUrl && !config.allowInbox) {
    const mend = 'Set SMTP_URL, or ALLOW_INBOX=yes to show all mail to everyone at /inbox.'
    found.push(fail('mail', 'the address is public, but no mail would be sent', mend))
  }
  const behindProxy = isPublic && isLoopbackHost(config.host)
  if (behindProxy && !config.trustProxy) {
    const mend = 'Behind proxies, set TRUST_PROXY to their number; otherwise set HOST.'
    found.push(
      warn('public address', 'listens on loopback, so all callers have the same address', mend),
    )
  }
  return found.length > 0 ? found : [ok('public address', config.baseUrl)]
}

function addressFindings(name: string, url: string, config: Addresses): Finding[] {
  const { protocol, port } = new URL(url)
  if (!isLoopbackUrl(url)) {
    if (protocol === 'https:') return []
    const mend = `Put a proxy with a TLS certificate in front, and set ${name} to its https address.`
    return [fail('public address', `${name} is ${url}: tokens would be sent unencrypted`, mend)]
  }
  const shown = Number(port) || (protocol === 'https:' ? 443 : 80)
  if (shown === config.port) return []
  const mend = `Unset ${name}, or set its port to ${config.port}.`
  return [warn('public address', `${name} is ${url}, but PORT is ${config.port}`, mend)]
}

function isLoopbackHost(host: string): boolean {
  return host === 'localhost' || host === '::1' || host.startsWith('127.')
}
