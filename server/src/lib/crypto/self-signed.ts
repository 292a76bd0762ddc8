/**
 * A self-signed certificate (RFC 5280). Node creates keys and signatures but no certificates; this
 * file writes the one kind that a mail server needs to offer STARTTLS: for one name, ECDSA on
 * P-256.
 */
import { generateKeyPairSync, randomBytes, sign } from 'node:crypto'

export interface KeyAndCertificate {
  /** In PEM, as is `cert`. */
  key: string
  cert: string
}

/** DER tags (X.690 section 8). */
const tag = {
  integer: 0x02,
  bits: 0x03,
  octets: 0x04,
  oid: 0x06,
  utf8: 0x0c,
  utcTime: 0x17,
  generalTime: 0x18,
  sequence: 0x30,
  set: 0x31,
  /** The tag of the host name in `subjectAltName`. */
  dnsName: 0x82,
  version: 0xa0,
  extensions: 0xa3,
} as const

const ids = {
  ecdsaWithSha256: '2a8648ce3d040302',
  commonName: '550403',
  subjectAltName: '551d11',
} as const

export function selfSigned(name: string, from: Date, until: Date): KeyAndCertificate {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const algorithm = sequence(oid(ids.ecdsaWithSha256))
  const whole = sequence(
    der(tag.version, der(tag.integer, Buffer.from([2]))),
    // The number must be positive, so its first bit is 0, and it has no leading zero byte.
    der(tag.integer, Buffer.concat([Buffer.from([0x40]), randomBytes(15)])),
    algorithm,
    nameOf(name),
    sequence(time(from), time(until)),
    nameOf(name),
    publicKey.export({ type: 'spki', format: 'der' }),
    der(tag.extensions, sequence(alternativeName(name))),
  )
  const signature = sign('sha256', whole, privateKey)
  const certificate = sequence(whole, algorithm, der(tag.bits, Buffer.from([0]), signature))
  return {
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    cert: pem('CERTIFICATE', certificate),
  }
}

function der(kind: number, ...contents: Buffer[]): Buffer {
  const value = Buffer.concat(contents)
  return Buffer.concat([Buffer.from([kind]), lengthOf(value), value])
}

/** One byte, or the number of length bytes followed by these (X.690 section 8.1.3). */
function lengthOf({ length }: Buffer): Buffer {
  if (length < 0x80) return Buffer.from([length])
  const bytes = Buffer.from(length.toString(16).padStart(length > 0xff ? 4 : 2, '0'), 'hex')
  return Buffer.concat([Buffer.from([0x80 | bytes.length]), bytes])
}

const sequence = (...elements: Buffer[]) => der(tag.sequence, ...elements)
const oid = (hex: string) => der(tag.oid, Buffer.from(hex, 'hex'))

/** The field holds at most 64 characters (appendix A.1). `subjectAltName` holds the whole name. */
function nameOf(name: string): Buffer {
  const common = der(tag.utf8, Buffer.from(name.slice(0, 64)))
  return sequence(der(tag.set, sequence(oid(ids.commonName), common)))
}

function alternativeName(name: string): Buffer {
  const names = sequence(der(tag.dnsName, Buffer.from(name)))
  return sequence(oid(ids.subjectAltName), der(tag.octets, names))
}

/** A time with a two-digit year, which is valid until 2049 (section 4.1.2.5). */
function time(moment: Date): Buffer {
  const digits = moment.toISOString().replace(/\.\d+|[-:T]/g, '')
  return moment.getUTCFullYear() < 2050
    ? der(tag.utcTime, Buffer.from(digits.slice(2)))
    : der(tag.generalTime, Buffer.from(digits))
}

function pem(label: string, bytes: Buffer): string {
  const lines = bytes.toString('base64').match(/.{1,64}/g) ?? []
  return `-----BEGIN ${label}-----\n${lines.join('\n')}\n-----END ${label}-----\n`
}
