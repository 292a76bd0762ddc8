/** Reads the settings of the language model that writes drafts. */
import { isIP } from 'node:net'
import { withoutEnd } from '../lib/text/trim-end.ts'
import { ConfigError } from './readers.ts'

export interface WriterSettings {
  protocol: 'openai' | 'anthropic'
  /** The URL to which requests are posted. */
  url: string
  key: string | undefined
  model: string
}

interface WriterTexts {
  url: string | undefined
  key: string | undefined
  model: string | undefined
}

/** Undefined if no model is set: drafts are made of the gallery. */
export function readWriter({ url: text, key, model }: WriterTexts): WriterSettings | undefined {
  if (text === undefined) {
    const alone = key === undefined ? 'WRITER_MODEL' : 'WRITER_KEY'
    if (key === undefined && model === undefined) return undefined
    throw new ConfigError(`${alone} needs WRITER_URL: the address of a language model.`)
  }
  const url = URL.parse(text)
  if (!url || !/^https?:$/.test(url.protocol) || url.username || url.search || url.hash) {
    // The value may contain a key, so it is not repeated.
    throw new ConfigError(
      'WRITER_URL must be https://host[:port][/path], such as https://api.openai.com/v1.',
    )
  }
  if (url.protocol === 'http:' && !isNear(url.hostname)) {
    throw new ConfigError(
      'WRITER_URL can be http:// only for a host of your own network: the key would be readable.',
    )
  }
  if (model === undefined) {
    throw new ConfigError('WRITER_MODEL is missing: the name of the model that WRITER_URL serves.')
  }
  const hosted = ['api.openai.com', 'api.anthropic.com'].includes(url.hostname)
  if (hosted && key === undefined) {
    throw new ConfigError(`WRITER_KEY is missing: ${url.hostname} accepts no call without one.`)
  }
  if (key !== undefined && !/^[!-~]+$/.test(key)) {
    throw new ConfigError('WRITER_KEY must be printable ASCII without spaces.')
  }
  return { ...endpointOf(url), key, model }
}

/** Whether the host is an address of this machine or its network, or a name known only there. */
function isNear(hostname: string): boolean {
  const host = hostname.replace(/^\[(.*)\]$/, '$1')
  if (isIP(host))
    return /^(?:127\.|10\.|192\.168\.|172\.(?:1[6-9]|2\d|3[01])\.|::1$|f[cd])/.test(host)
  return !host.includes('.') || /\.(?:internal|local|lan|home\.arpa)$/.test(host)
}

/**
 * Derives endpoint and protocol from the URL alone, which is either a whole endpoint or the base
 * to append to.
 */
function endpointOf(url: URL): Pick<WriterSettings, 'protocol' | 'url'> {
  const path = withoutEnd(url.pathname, /\//)
  if (path.endsWith('/messages')) return { protocol: 'anthropic', url: url.origin + path }
  if (path.endsWith('/chat/completions')) return { protocol: 'openai', url: url.origin + path }
  const base = url.origin + (path === '' ? '/v1' : path)
  return url.hostname === 'api.anthropic.com'
    ? { protocol: 'anthropic', url: `${base}/messages` }
    : { protocol: 'openai', url: `${base}/chat/completions` }
}
