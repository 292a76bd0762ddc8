/**
 * An authenticator in software (WebAuthn, section 6): it makes ES256 passkeys and uses them, and
 * errs where a test tells it to.
 */
import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto'

export interface Behaviour {
  origin: string
  rpId: string
  /** Whether the person was recognised, by a finger or a PIN. */
  isVerified: boolean
  counter: number
  /** The person that the passkey says that it belongs to. */
  userHandle: string
}

interface Options {
  challenge: string
  rp?: { id: string }
  rpId?: string
  user?: { id: string }
}

const userPresent = 0x01
const userVerified = 0x04
const hasCredential = 0x40

export function createAuthenticator(home: { origin: string }) {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const id = randomBytes(16)
  let handle = ''

  const clientData = (type: string, { challenge }: Options, origin: string) =>
    Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin: false }))

  return {
    id,
    /** Makes the passkey for what `passkey.start` gave. */
    make(options: Options, behaviour: Partial<Behaviour> = {}): string {
      const { origin = home.origin, rpId = options.rp?.id ?? '', counter = 0 } = behaviour
      handle = options.user?.id ?? ''
      const data = authenticatorData(rpId, {
        flags: userPresent | hasCredential | verifiedFlag(behaviour),
        counter,
        credential: Buffer.concat([
          Buffer.alloc(16),
          Buffer.from([0, id.length]),
          id,
          coseKey(publicKey),
        ]),
      })
      return answer(id, {
        clientDataJSON: clientData('webauthn.create', options, origin),
        attestationObject: Buffer.concat([
          Buffer.from('a363666d74646e6f6e656761747453746d74a0686175746844617461', 'hex'),
          Buffer.from([0x58, data.length]),
          data,
        ]),
      })
    },
    /** The passkey as it is stored when it was made. */
    made: () => ({
      credentialId: id,
      publicKey: coseKey(publicKey),
      counter: 0,
      transports: [],
    }),
    /** Uses the passkey for what the sign-in page or `passkey.start` gave. */
    use(options: Options, behaviour: Partial<Behaviour> = {}): string {
      const { origin = home.origin, rpId = options.rpId ?? '', counter = 0 } = behaviour
      const data = authenticatorData(rpId, {
        flags: userPresent | verifiedFlag(behaviour),
        counter,
      })
      const client = clientData('webauthn.get', options, origin)
      const signed = Buffer.concat([data, createHash('sha256').update(client).digest()])
      return answer(id, {
        clientDataJSON: client,
        authenticatorData: data,
        signature: sign('sha256', signed, privateKey),
        userHandle: Buffer.from(behaviour.userHandle ?? handle, 'base64url'),
      })
    },
  }
}

const verifiedFlag = ({ isVerified = true }: Partial<Behaviour>) => (isVerified ? userVerified : 0)

function authenticatorData(
  rpId: string,
  { flags, counter, credential }: { flags: number; counter: number; credential?: Buffer },
): Buffer {
  const count = Buffer.alloc(4)
  count.writeUInt32BE(counter)
  const party = createHash('sha256').update(rpId).digest()
  return Buffer.concat([party, Buffer.from([flags]), count, credential ?? Buffer.alloc(0)])
}

/** An EC2 key of P-256 for ES256 (RFC 9053, section 7.1.1). */
function coseKey(publicKey: KeyObject): Buffer {
  const { x = '', y = '' } = publicKey.export({ format: 'jwk' })
  return Buffer.concat([
    Buffer.from('a5010203262001215820', 'hex'),
    Buffer.from(x, 'base64url'),
    Buffer.from('225820', 'hex'),
    Buffer.from(y, 'base64url'),
  ])
}

function answer(id: Buffer, response: Record<string, Buffer>): string {
  const spelled = Object.entries(response).map(([name, bytes]) => [
    name,
    bytes.toString('base64url'),
  ])
  return JSON.stringify({
    id: id.toString('base64url'),
    rawId: id.toString('base64url'),
    type: 'public-key',
    clientExtensionResults: {},
    response: Object.fromEntries(spelled),
  })
}
