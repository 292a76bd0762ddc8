/** What a server answers that refuses a command or a mail (RFC 5321 section 4.2). */

/** An answer that `smtp-server` gives with its own code. */
export class SmtpReply extends Error {
  readonly responseCode: number

  constructor(responseCode: number, message: string) {
    super(message)
    this.responseCode = responseCode
  }
}
