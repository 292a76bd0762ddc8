/** Why no connection to a relay was opened, from an error of nodemailer. */

export interface RelayFault {
  /** That of the socket or of TLS, such as ECONNREFUSED, else nodemailer's own. */
  code: string
  /** The relay's reply, if it gave one. */
  reply: string | undefined
}

export function relayFault(error: unknown): RelayFault {
  const { code, originalCode, response } = error as {
    code?: string
    originalCode?: string
    response?: string
  }
  return { code: originalCode ?? code ?? 'ESOCKET', reply: response || undefined }
}
