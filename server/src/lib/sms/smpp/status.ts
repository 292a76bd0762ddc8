/** `command_status` (SMPP 3.4, section 5.1.3), and what each means for a text. */
import type { RefusalKind, SmsRefused } from '../transport.ts'

export const status = {
  fine: 0x00,
  badLength: 0x02,
  unknownCommand: 0x03,
  bindFailed: 0x0d,
  badPassword: 0x0e,
  badSystemId: 0x0f,
  queueFull: 0x14,
  throttled: 0x58,
  /** A receiver that is temporarily unable: the SMSC delivers the message again. */
  laterPlease: 0x64,
} as const

const names: Record<number, string> = {
  1: 'ESME_RINVMSGLEN',
  2: 'ESME_RINVCMDLEN',
  3: 'ESME_RINVCMDID',
  4: 'ESME_RINVBNDSTS',
  5: 'ESME_RALYBND',
  8: 'ESME_RSYSERR',
  10: 'ESME_RINVSRCADR',
  11: 'ESME_RINVDSTADR',
  13: 'ESME_RBINDFAIL',
  14: 'ESME_RINVPASWD',
  15: 'ESME_RINVSYSID',
  20: 'ESME_RMSGQFUL',
  21: 'ESME_RINVSERTYP',
  68: 'ESME_RCNTSUBDL',
  69: 'ESME_RSUBMITFAIL',
  72: 'ESME_RINVSRCTON',
  73: 'ESME_RINVSRCNPI',
  80: 'ESME_RINVDSTTON',
  81: 'ESME_RINVDSTNPI',
  83: 'ESME_RINVSYSTYP',
  88: 'ESME_RTHROTTLED',
  100: 'ESME_RX_T_APPN',
  101: 'ESME_RX_P_APPN',
  102: 'ESME_RX_R_APPN',
  254: 'ESME_RDELIVERYFAILURE',
  255: 'ESME_RUNKNOWNERR',
}

const kinds: Record<number, RefusalKind> = {
  4: 'soft',
  8: 'soft',
  10: 'policy',
  11: 'hard',
  20: 'soft',
  21: 'policy',
  72: 'policy',
  73: 'policy',
  80: 'hard',
  81: 'hard',
  83: 'policy',
  88: 'soft',
  100: 'soft',
  255: 'soft',
}

const askForLess = new Set<number>([status.queueFull, status.throttled])

/** Statuses outside of the standard are the provider's own. They are not retried. */
export function refusalOf(code: number): SmsRefused {
  const kind = kinds[code] ?? 'unknown'
  return {
    result: 'refused',
    final: kind !== 'soft',
    kind,
    ...(askForLess.has(code) && { slower: true }),
    code: `0x${code.toString(16).padStart(8, '0')}`,
    words: nameOf(code),
  }
}

export function nameOf(code: number): string {
  return names[code] ?? `status ${code} of the SMSC's own`
}

/** The login in SMS_URL is wrong, so waiting does not help. */
export function refusesLogin(code: number): boolean {
  return code === status.badPassword || code === status.badSystemId || code === status.bindFailed
}
