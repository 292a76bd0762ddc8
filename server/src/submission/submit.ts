/** One submitted mail, from its bytes to a message of its business. */
import { createHash } from 'node:crypto'
import { orThrow, type Refusal } from '../core/errors.ts'
import { formatId, newId } from '../core/ids.ts'
import type { MailReader } from './reading/mail-reader.ts'
import type { SignIn, Submitter } from './sign-in.ts'
import { toEmail } from './to-email.ts'

/** What `email.send` answers. */
export interface SentEmail {
  message_id: string
  copies?: { to: string; message_id?: string; error?: { code: string; message: string } }[]
}

export interface SubmitDeps {
  reader: MailReader
  signIn: Pick<SignIn, 'count'>
  /** Calls `email.send` for the key. A mail has no variables, so its content goes out as it is. */
  send(
    submitter: Submitter,
    input: Record<string, unknown>,
    requestId: string,
  ): Promise<SentEmail | Refusal>
}

export async function submitMail(
  { reader, signIn, send }: SubmitDeps,
  submitter: Submitter,
  { source, recipients }: { source: Buffer; recipients: readonly string[] },
): Promise<SentEmail> {
  const tooMany = signIn.count(submitter)
  if (tooMany) throw tooMany
  const mail = orThrow(await reader.read(source, submitter.businessId))
  const digest = createHash('sha256').update(source).digest('base64url')
  const input = toEmail(mail, recipients, digest)
  const businessId = formatId('business', submitter.businessId)
  const requestId = formatId('request', newId('request'))
  return orThrow(await send(submitter, { ...input, business_id: businessId }, requestId))
}
