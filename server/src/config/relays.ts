/**
 * Where mail goes: one relay (`SMTP_URL`), or several with names (`RELAYS`, a JSON file that
 * docs/operate/relays.md describes).
 */
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { ConfigError, readChoice, readSmtpUrl, smtpUrlFault } from './readers.ts'
import { type ProfileName, profileNames, profileOf } from './relay-profiles.ts'

const kinds = ['transactional', 'marketing'] as const
const tiers = ['free', 'growth', 'scale'] as const

type ByKind = Partial<Record<(typeof kinds)[number], string>>

export interface RelayOfFile {
  url: string
  failover: string | undefined
  profile: ProfileName | undefined
}

export interface RelaySettings {
  /** By name, in the order of the file. */
  relays: ReadonlyMap<string, RelayOfFile>
  default: Readonly<Required<ByKind>>
  tiers: Readonly<Partial<Record<(typeof tiers)[number], ByKind>>>
}

export interface MailConfig {
  /** The relay of transactional mail; undefined for the built-in inbox. */
  smtpUrl: string | undefined
  /** The profile of SMTP_URL, where it is named. */
  relayProfile: ProfileName | undefined
  /** Undefined where there is one relay at most. */
  relays: RelaySettings | undefined
  /** The file that they are from, which is read again on SIGHUP. */
  relaysFile: string | undefined
}

export const mostRelays = 20

export function readMail(text: (name: string) => string | undefined): MailConfig {
  const file = text('RELAYS')
  const smtpUrl = readSmtpUrl(text('SMTP_URL'))
  const relayProfile = readChoice(text('RELAY_PROFILE'), 'RELAY_PROFILE', profileNames)
  if (relayProfile !== undefined && smtpUrl === undefined) {
    throw new ConfigError(
      'RELAY_PROFILE describes SMTP_URL, which is not set. In RELAYS each relay has its "profile".',
    )
  }
  if (file === undefined) {
    const url = smtpUrl && warmed(smtpUrl, relayProfile)
    return { smtpUrl: url, relayProfile, relays: undefined, relaysFile: undefined }
  }
  if (smtpUrl !== undefined) {
    throw new ConfigError('RELAYS and SMTP_URL are both set. Name the relay of SMTP_URL in RELAYS.')
  }
  const relays = readRelaysFile(file)
  const { url } = relays.relays.get(relays.default.transactional) ?? {}
  return { smtpUrl: url, relayProfile, relays, relaysFile: path.resolve(file) }
}

export const readRelaysFile = (file: string): RelaySettings => readRelays(parsed(file))

/** Without a word of its own on warm-up, a relay follows its profile. */
function warmed(url: string, profile: ProfileName | undefined): string {
  const read = new URL(url)
  if (profile === undefined || !profileOf(profile).isWarm) return url
  if (read.searchParams.has('warmup')) return url
  read.searchParams.set('warmup', 'no')
  return read.href
}

/** The relays that mail goes over, with the profiles that the operator named. */
export function relaysIn({
  smtpUrl,
  relayProfile,
  relays,
}: Pick<MailConfig, 'smtpUrl' | 'relayProfile' | 'relays'>): {
  name: string | undefined
  url: string
  profile: ProfileName | undefined
}[] {
  if (relays) return [...relays.relays].map(([name, relay]) => ({ name, ...relay }))
  return smtpUrl === undefined ? [] : [{ name: undefined, url: smtpUrl, profile: relayProfile }]
}

function parsed(file: string): unknown {
  let text: string
  try {
    text = readFileSync(file, 'utf8')
  } catch (error) {
    const { code = 'unknown' } = error as NodeJS.ErrnoException
    throw new ConfigError(`The file RELAYS, ${file}, cannot be read (${code}).`)
  }
  try {
    return JSON.parse(text)
  } catch {
    // The parser's message quotes the file, which may contain a password.
    throw new ConfigError(`The file RELAYS, ${file}, is not JSON.`)
  }
}

type Fields = Record<string, unknown>

/** Every message names the place in the file, and repeats no value, which may be a password. */
export function readRelays(value: unknown): RelaySettings {
  const file = fieldsOf(value, '', ['relays', 'default', 'tiers'])
  const entries = Object.entries(fieldsOf(file['relays'], 'relays'))
  if (entries.length === 0 || entries.length > mostRelays) {
    throw fault('relays', `must have 1 to ${mostRelays} relays by name.`)
  }
  const relays = new Map(entries.map(([name, relay]) => [name, readRelay(name, relay)]))
  for (const [name, { failover }] of relays) {
    if (failover === undefined) continue
    if (failover === name) throw fault(`relays.${name}.failover`, 'must be another relay.')
    if (!relays.has(failover)) throw fault(`relays.${name}.failover`, oneOf(relays))
  }
  const first = entries[0]?.[0] ?? ''
  const byDefault = readByKind(file['default'] ?? first, 'default', relays)
  const ofTiers = fieldsOf(file['tiers'] ?? {}, 'tiers', tiers)
  return {
    relays,
    default: { transactional: first, marketing: first, ...byDefault },
    tiers: Object.fromEntries(
      Object.entries(ofTiers).map(([tier, choice]) => [
        tier,
        readByKind(choice, `tiers.${tier}`, relays),
      ]),
    ),
  }
}

function readRelay(name: string, value: unknown): RelayOfFile {
  const at = `relays.${name}`
  if (!/^[a-z0-9-]{1,40}$/.test(name)) {
    throw fault(at, 'must be a name of 1 to 40 lower-case letters, digits and hyphens.')
  }
  const keys = ['url', 'profile', 'rate', 'connections', 'warm', 'failover']
  const { url, profile: choice, rate, connections, warm, failover } = fieldsOf(value, at, keys)
  const text = typeof url === 'string' ? url : ''
  const urlFault = smtpUrlFault(text)
  if (urlFault !== undefined) throw fault(`${at}.url`, urlFault)
  const parsedUrl = new URL(text)
  const set = (key: string, parameter: string, number: unknown, limit: number) => {
    if (number === undefined) return
    const isFine = typeof number === 'number' && number > 0 && number <= limit
    if (!isFine) throw fault(`${at}.${key}`, `must be a number up to ${limit}.`)
    parsedUrl.searchParams.set(parameter, String(number))
  }
  set('rate', 'rate', rate, 100_000)
  set('connections', 'pool', connections, 200)
  if (warm !== undefined && typeof warm !== 'boolean')
    throw fault(`${at}.warm`, 'must be true or false.')
  const profile = profileNames.find((profileName) => profileName === choice)
  if (choice !== undefined && profile === undefined) {
    throw fault(`${at}.profile`, `must be one of ${profileNames.join(', ')}.`)
  }
  if (warm !== undefined) parsedUrl.searchParams.set('warmup', warm ? 'no' : 'yes')
  if (failover !== undefined && typeof failover !== 'string') {
    throw fault(`${at}.failover`, 'must be the name of another relay.')
  }
  return { url: warmed(parsedUrl.href, profile), failover, profile }
}

/** One name for both kinds, or a name for each. */
function readByKind(value: unknown, at: string, relays: ReadonlyMap<string, unknown>): ByKind {
  const chosen: Fields =
    typeof value === 'string'
      ? { transactional: value, marketing: value }
      : fieldsOf(value, at, kinds)
  for (const [kind, name] of Object.entries(chosen)) {
    if (typeof name !== 'string' || !relays.has(name)) throw fault(`${at}.${kind}`, oneOf(relays))
  }
  return chosen as ByKind
}

function fieldsOf(value: unknown, at: string, keys?: readonly string[]): Fields {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw fault(at, keys ? `must be an object with ${keys.join(', ')}.` : 'must be an object.')
  }
  const unknown = Object.keys(value).find((key) => keys && !keys.includes(key))
  if (unknown !== undefined) {
    throw fault(at, `has no ${JSON.stringify(unknown)}; it accepts ${keys?.join(', ')}.`)
  }
  return value as Fields
}

const oneOf = (relays: ReadonlyMap<string, unknown>) =>
  `must be one of ${[...relays.keys()].join(', ')}.`

const fault = (at: string, rule: string) =>
  new ConfigError(`The file RELAYS${at && `, ${at},`} ${rule}`)
