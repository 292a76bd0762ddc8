/** Where traces are sent, by the names of settings that OpenTelemetry's own programs use. */
import { ConfigError } from './readers.ts'

export interface TracesConfig {
  url: string
  headers: Record<string, string>
  /** The share of traces that are kept, of those that no caller has begun. */
  share: number
  /** How often spans are sent, and how long the collector may take. */
  everyMs: number
  timeoutMs: number
}

/** The path of traces below the endpoint (OTLP/HTTP). */
const tracesPath = 'v1/traces'

export function readTraces(text: (name: string) => string | undefined): TracesConfig | undefined {
  const endpoint = text('OTEL_EXPORTER_OTLP_ENDPOINT')
  if (endpoint === undefined) return undefined
  return {
    url: urlOf(endpoint),
    headers: readHeaders(text('OTEL_EXPORTER_OTLP_HEADERS') ?? ''),
    share: readShare(text('OTEL_TRACES_SAMPLER_ARG') ?? '1'),
    everyMs: 1_000,
    timeoutMs: 5_000,
  }
}

function urlOf(endpoint: string): string {
  const url = URL.parse(endpoint)
  if (url === null || !['http:', 'https:'].includes(url.protocol)) {
    throw new ConfigError(
      'OTEL_EXPORTER_OTLP_ENDPOINT must be the http:// or https:// address of a collector, such as http://127.0.0.1:4318.',
    )
  }
  return `${endpoint}${endpoint.endsWith('/') ? '' : '/'}${tracesPath}`
}

/** Not repeated where they are wrong, since they hold a password. */
function readHeaders(text: string): Record<string, string> {
  const pairs = text
    .split(',')
    .map((pair) => pair.trim())
    .filter((pair) => pair !== '')
    .map((pair) => [pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1)] as const)
  if (pairs.some(([name]) => name.trim() === '')) {
    throw new ConfigError(
      'OTEL_EXPORTER_OTLP_HEADERS must be names and values such as authorization=Bearer%20abc, with commas between.',
    )
  }
  return Object.fromEntries(pairs.map(([name, value]) => [name.trim(), decoded(value.trim())]))
}

function decoded(value: string): string {
  try {
    return decodeURIComponent(value)
  } catch {
    return value
  }
}

function readShare(text: string): number {
  const share = Number(text)
  if (text.trim() !== '' && share >= 0 && share <= 1) return share
  throw new ConfigError(`OTEL_TRACES_SAMPLER_ARG must be a number from 0 to 1, not "${text}".`)
}
