/**
 * An error of the database at start, in words for the operator, with how to fix it. The command
 * prints its message and ends; the message never contains a password.
 */
export class StartError extends Error {
  override readonly name = 'StartError'
}
