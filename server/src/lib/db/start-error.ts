/**
 * Why the service cannot start with the database as it is, in words for the operator and with the way to
 * mend it. The command prints its message and ends; it never holds a password.
 */
export class StartError extends Error {
  override readonly name = 'StartError'
}
