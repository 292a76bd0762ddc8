/**
 * The return path of a message: an address that names the message and has a MAC, so that nobody can
 * invent addresses that are accepted.
 */
import { formatId, type Id, parseId } from '../core/ids.ts'
import { sameBytes, type Vault } from '../lib/crypto/vault.ts'

/** 80 bits, with which the local part has 53 of its 64 octets (RFC 5321 section 4.5.3.1.1). */
const macBytes = 10

/** `b+msg_….<mac>@domain`, in characters that survive a change of case. */
export function returnPath(
  vault: Pick<Vault, 'hmac'>,
  messageId: Id<'message'>,
  domain: string,
): string {
  const name = formatId('message', messageId)
  return `b+${name}.${macOf(vault, name).toString('hex')}@${domain}`
}

/**
 * Finds the message that a return path names, at any domain, because each sender domain may have
 * its own. Undefined for every address that this installation did not make.
 */
export function readReturnPath(
  vault: Pick<Vault, 'hmac'>,
  address: string,
): Id<'message'> | undefined {
  const match = /^b\+([^.@]+)\.([0-9a-f]{20})@[^@]+$/.exec(address.toLowerCase())
  if (!match) return undefined
  const [, name = '', mac = ''] = match
  const isOurs = sameBytes(macOf(vault, name), Buffer.from(mac, 'hex'))
  return isOurs ? parseId('message', name) : undefined
}

function macOf(vault: Pick<Vault, 'hmac'>, name: string): Buffer {
  return vault.hmac('return-path', name).subarray(0, macBytes)
}
