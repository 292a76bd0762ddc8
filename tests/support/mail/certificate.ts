/** A self-signed certificate for one host name, made here: no tool, no file, no expiry date. */
import { generateKeyPairSync, sign } from 'node:crypto'

export interface Certificate {
  key: string
  cert: string
}

/** DER (X.690): a tag, a length and the contents. */
function der(tag: number, ...contents: Buffer[]): Buffer {
  const body = Buffer.concat(contents)
  const n = body.length
  const length = n < 128 ? [n] : n < 256 ? [0x81, n] : [0x82, n >> 8, n & 0xff]
  return Buffer.concat([Buffer.from([tag, ...length]), body])
}

const sequence = (...items: Buffer[]) => der(0x30, ...items)
const set = (...items: Buffer[]) => der(0x31, ...items)
const octets = (content: Buffer) => der(0x04, content)
const integer = (n: number) => der(0x02, Buffer.from([n]))
const boolean = (value: boolean) => der(0x01, Buffer.from([value ? 0xff : 0]))
const utf8 = (text: string) => der(0x0c, Buffer.from(text))
const utcTime = (at: Date) =>
  der(0x17, Buffer.from(`${at.toISOString().replace(/\D/g, '').slice(2, 14)}Z`))
const oid = (hex: string) => der(0x06, Buffer.from(hex, 'hex'))

const ecdsaWithSha256 = oid('2a8648ce3d040302')
const commonName = oid('550403')
const basicConstraints = oid('551d13')
const subjectAltName = oid('551d11')

/** Makes a certificate by RFC 5280, section 4.1. */
export function selfSigned(hostname: string): Certificate {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const name = sequence(set(sequence(commonName, utf8(hostname))))
  const day = 86_400_000
  const validity = sequence(
    utcTime(new Date(Date.now() - day)),
    utcTime(new Date(Date.now() + day)),
  )
  const extensions = sequence(
    sequence(basicConstraints, octets(sequence(boolean(true)))),
    sequence(subjectAltName, octets(sequence(der(0x82, Buffer.from(hostname))))),
  )
  const body = sequence(
    der(0xa0, integer(2)),
    integer(1),
    sequence(ecdsaWithSha256),
    name,
    validity,
    name,
    publicKey.export({ type: 'spki', format: 'der' }),
    der(0xa3, extensions),
  )
  const signature = sign('sha256', body, privateKey)
  const whole = sequence(body, sequence(ecdsaWithSha256), der(0x03, Buffer.from([0]), signature))
  const lines = whole.toString('base64').match(/.{1,64}/g) ?? []
  return {
    key: String(privateKey.export({ type: 'pkcs8', format: 'pem' })),
    cert: `-----BEGIN CERTIFICATE-----\n${lines.join('\n')}\n-----END CERTIFICATE-----\n`,
  }
}
