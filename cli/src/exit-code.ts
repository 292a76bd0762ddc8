/** The exit code of the process, so that a script can tell what happened. */
export const exitCodes = {
  ok: 0,
  /** A bug of ours, or an error without a code of its own. */
  failed: 1,
  /** The command line itself is wrong. */
  usage: 2,
  /** Nobody is signed in, or the connection has ended: run `crier login`. */
  signIn: 3,
  /** The scope, role or tier does not allow it. */
  forbidden: 4,
  /** The object does not exist. */
  notFound: 5,
  /** The arguments are wrong, or the present state does not allow it. */
  refused: 6,
  /** Too many requests, even after waiting. */
  limited: 7,
  /** The server or the database cannot be reached, or does not answer in time. */
  unreachable: 8,
  /** Ctrl-C. */
  interrupted: 130,
} as const

export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes]

const byCode: Record<string, ExitCode> = {
  usage: exitCodes.usage,
  interrupted: exitCodes.interrupted,
  unauthorized: exitCodes.signIn,
  invalid_grant: exitCodes.signIn,
  invalid_client: exitCodes.signIn,
  signed_out: exitCodes.signIn,
  severed: exitCodes.signIn,
  store_unreadable: exitCodes.signIn,
  scope_required: exitCodes.forbidden,
  role_required: exitCodes.forbidden,
  tier_required: exitCodes.forbidden,
  access_denied: exitCodes.forbidden,
  not_found: exitCodes.notFound,
  gone: exitCodes.notFound,
  invalid_request: exitCodes.refused,
  invalid_redirect_uri: exitCodes.refused,
  invalid_setting: exitCodes.refused,
  conflict: exitCodes.refused,
  too_large: exitCodes.refused,
  rate_limited: exitCodes.limited,
  network: exitCodes.unreachable,
  timeout: exitCodes.unreachable,
  unavailable: exitCodes.unreachable,
  cannot_start: exitCodes.unreachable,
}

/** The exit code for an error's code. */
export function exitCodeOf(code: string): ExitCode {
  // The code may come from a foreign server, and be `constructor`.
  return Object.hasOwn(byCode, code) ? (byCode[code] ?? exitCodes.failed) : exitCodes.failed
}
