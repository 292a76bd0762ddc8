export const connections = {
  title: 'Connections',
  about: 'Apps that may act for you, in every business that you gave them.',
  empty: 'Nothing is connected yet. Give this address to an assistant: it sends you here to agree.',
  another: 'To connect another assistant, give it this address.',
  copyAddress: 'Copy the address',
  unverified: 'Name not verified',
  host: 'Sends you back to',
  may: 'It may',
  always: 'See your businesses and their usage',
  readOnly: 'Reads only',
  in: 'In',
  nowhere: 'no business any more',
  connected: (when: string) => `connected ${when}`,
  used: (when: string) => `used ${when}`,
  neverUsed: 'not used yet',
  lateReuse: (times: string, when: string) =>
    `An old token was used after it was replaced (${times}, last ${when}). The app may have kept a stale copy, or somebody else has one. If in doubt, revoke.`,
  codeReuse: (times: string, when: string) =>
    `The code that made this connection was sent again (${times}, last ${when}) and refused. The app may have sent it twice, or somebody else has seen it. If in doubt, revoke.`,
  times: (count: number) => (count === 1 ? 'once' : `${count} times`),
  unnamed: 'An app without a name',
  lately: 'Recent calls',
  kept: 'What the audit log keeps of it',
  nothingLately: 'Nothing that the audit log keeps: no send, import, export or setting.',
  allInLog: 'All of it in the audit log',
  limit: 'Limit',
  limitTitle: (name: string) => `Limit ${name}`,
  limitText:
    'It holds from its next call on. A business that you take away comes back only when you connect the app again.',
  keeps: 'It keeps',
  limited: 'The limits hold from its next call on',
  revoke: 'Revoke',
  revokeTitle: (name: string) => `Revoke ${name}?`,
  revokeText:
    'It stops working at once. It is not told. Webhooks that it made pause. Messages already queued still go.',
  revokeDo: 'Revoke access',
  revoked: 'The app has no access any more',
  more: 'Show older connections',
}

export const sessions = {
  title: 'Sessions',
  about:
    'Browsers in which you are signed in. A session ends by itself 30 days after its last use.',
  this: 'this browser',
  unknown: 'An unknown browser',
  on: (browser: string, system: string) => `${browser} on ${system}`,
  since: (when: string) => `Signed in ${when}`,
  seen: (when: string) => `last seen ${when}`,
  from: 'from',
  end: 'End',
  endTitle: (name: string) => `End ${name}?`,
  endText: 'That browser is signed out at once. What was typed there and not saved stays unsaved.',
  signOut: 'Sign out',
  signOutTitle: 'Sign out of this browser?',
  signOutText: 'You come back with a link that is mailed to you.',
  ended: 'The session has ended',
  others: 'End all others',
  othersTitle: 'End all other sessions?',
  othersText: 'Every browser but this one is signed out at once.',
  othersEnded: (count: number) => (count === 1 ? 'One session ended' : `${count} sessions ended`),
  alone: 'You are signed in nowhere else.',
}

/** Of connections and of API keys. */
export const limits = {
  readOnly: 'It only reads',
  readOnlyHint: 'It changes and sends nothing until you untick this.',
  perDay: 'Recipients in 24 hours',
  perDayHint: 'In each business. Empty for no limit of its own; the business’s limits hold anyway.',
  perDayOfKey: 'Messages of every kind count.',
  used: (used: string, limit: string) => `${used} of ${limit} recipients in 24 hours`,
  none: 'no recipient limit of its own',
  transactional: 'Of these transactional, in 24 hours',
  transactionalHint: 'Receipts, password resets and the like. Empty for no limit.',
  transactionalOfConnection:
    'Receipts, password resets and the like. Empty for no limit. With 100 or fewer, one message goes to at most 50 people.',
  transactionalUsed: (used: string, limit: string) =>
    `${used} of ${limit} of transactional messages`,
  transactionalNone: 'no limit of transactional messages',
  signInAgain: 'To give it more, sign in again first: it takes a sign-in of the last 15 minutes.',
}

export const recentCalls = {
  title: 'Recent calls',
  none: 'No call in the last 30 days. A new call shows after a few seconds.',
  done: 'done',
  failed: 'refused',
  refused: (code: string) => (code === 'internal' ? 'failed inside Crier' : `refused: ${code}`),
}
