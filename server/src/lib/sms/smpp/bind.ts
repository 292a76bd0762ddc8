/** `bind_transceiver` (SMPP 3.4, section 4.1.5): one link for both directions. */
import { Unreachable } from '../../transport/unreachable.ts'
import type { SmsOptions } from '../sms-url.ts'
import { writeFields } from './fields.ts'
import { nameOf, refusesLogin } from './status.ts'

const version = 0x34

export function encodeBind(options: Pick<SmsOptions, 'user' | 'password' | 'systemType'>): Buffer {
  const { user, password, systemType } = options
  return writeFields(user, password, systemType, version, 0, 0, '')
}

/** Explains an SMSC's refusal to the operator who set SMS_URL. */
export function bindRefused(code: number): Unreachable {
  return refusesLogin(code)
    ? new Unreachable(
        'EAUTH',
        `the SMSC refuses the system id or the password of SMS_URL (${nameOf(code)})`,
      )
    : new Unreachable('EBIND', `the SMSC refuses to bind (${nameOf(code)})`)
}
