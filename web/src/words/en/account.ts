export const connections = {
  title: 'Connections',
  about: 'Apps that can act for you in the businesses you gave them access to.',
  empty:
    'No apps connected yet. Give this address to an assistant, and it sends you here to approve access.',
  another: 'To connect another assistant, give it this address.',
  copyAddress: 'Copy address',
  unverified: 'Name not verified',
  host: 'Redirects to',
  may: 'Permissions',
  always: 'See your businesses and their usage',
  readOnly: 'Read-only',
  onThisComputer: 'Runs on this computer',
  in: 'In',
  nowhere: 'no businesses any more',
  connected: (when: string) => `connected ${when}`,
  used: (when: string) => `last used ${when}`,
  neverUsed: 'never used',
  lateReuse: (times: string, when: string) =>
    `An old token was used after it was replaced (${times}, most recently ${when}). The app may have kept a stale copy, or someone else may have one. If in doubt, revoke access.`,
  codeReuse: (times: string, when: string) =>
    `The authorization code of this connection was used again (${times}, most recently ${when}) and rejected. The app may have sent it twice, or someone else may have seen it. If in doubt, revoke access.`,
  times: (count: number) => (count === 1 ? 'once' : `${count} times`),
  unnamed: 'An app without a name',
  lately: 'Recent calls',
  kept: 'Activity in the audit log',
  nothingLately: 'No activity in the audit log: no sends, imports, exports or changes to settings.',
  allInLog: 'See all in the audit log',
  limit: 'Limit',
  limitTitle: (name: string) => `Limit ${name}`,
  limitText:
    'Takes effect with the app’s next call. To give back a business that you remove here, connect the app again.',
  masked: 'Sees masked addresses',
  maskedHint: 'Assistants see addresses and numbers as a…@example.com and +41…67.',
  takesOut: 'May take data out of Crier',
  takesOutHint: 'It can export contacts, send events to new addresses and remove sender domains.',
  keeps: 'Keeps access to',
  limited: 'Limits saved. They apply from the next call.',
  revoke: 'Revoke',
  revokeTitle: (name: string) => `Revoke access for ${name}?`,
  revokeText:
    'The app loses access immediately and is not notified. Webhooks it created are paused. Messages already queued are still sent.',
  revokeDo: 'Revoke access',
  revoked: 'Access revoked',
  more: 'Show older connections',
}

export const sessions = {
  title: 'Sessions',
  about:
    'Browsers you are signed in with. A session expires 30 days after its last use, one from your company after a day at most.',
  this: 'this browser',
  unknown: 'Unknown browser',
  on: (browser: string, system: string) => `${browser} on ${system}`,
  since: (when: string) => `Signed in ${when}`,
  seen: (when: string) => `last seen ${when}`,
  from: 'from',
  end: 'End session',
  endTitle: (name: string) => `End the session in ${name}?`,
  endText:
    'That browser is signed out immediately. Changes that were not saved there stay unsaved.',
  signOut: 'Sign out',
  signOutTitle: 'Sign out of this browser?',
  signOutText: 'To sign in again, request a new sign-in link by email.',
  ended: 'Session ended',
  others: 'End all other sessions',
  othersTitle: 'End all other sessions?',
  othersText: 'Every browser except this one is signed out immediately.',
  othersEnded: (count: number) => (count === 1 ? 'One session ended' : `${count} sessions ended`),
  alone: 'You are not signed in anywhere else.',
}

export const passkeys = {
  title: 'Passkeys',
  about:
    'Sign in with your fingerprint, face or PIN instead of a link by email. Whoever reads your mail cannot do that.',
  oldBrowser: 'This browser is too old to use them.',
  needHttps: 'They need an address with https, which this installation does not have yet.',
  none: 'You have no passkey yet.',
  add: 'Add passkey',
  addText: 'Your browser asks for your fingerprint, face or PIN next.',
  go: 'Continue',
  name: 'Name',
  nameHint: 'So that you know later where it is, for example “My phone”.',
  added: (when: string) => `Added ${when}`,
  used: (when: string) => `last used ${when}`,
  unused: 'not used yet',
  wasAdded: 'Passkey added',
  rename: 'Rename',
  renamed: 'Name saved',
  remove: 'Remove',
  removeTitle: (name: string) => `Remove “${name}”?`,
  removeText:
    'Nobody can sign in with it any more. Delete it on your device as well, which still offers it.',
  removed: 'Passkey removed',
  cancelled: 'Cancelled. Continue to try again.',
  known: 'This device has a passkey of yours already.',
}

/** Of connections and of API keys. */
export const limits = {
  readOnly: 'Read-only access',
  readOnlyHint: 'It cannot change or send anything while this is ticked.',
  perDay: 'Recipients per 24 hours',
  perDayHint:
    'Per business. Leave empty for no separate limit; the limits of the business always apply.',
  perDayOfKey: 'Messages of all kinds count.',
  used: (used: string, limit: string) => `${used} of ${limit} recipients in 24 hours`,
  none: 'no separate recipient limit',
  transactional: 'Transactional recipients per 24 hours',
  transactionalHint: 'Receipts, password resets and similar messages. Leave empty for no limit.',
  transactionalOfConnection:
    'Receipts, password resets and similar messages. Leave empty for no limit. With a limit of 100 or less, the same message goes to at most 50 people.',
  transactionalUsed: (used: string, limit: string) =>
    `${used} of ${limit} transactional recipients`,
  transactionalNone: 'no limit for transactional messages',
  signInAgain:
    'To allow more, sign in again first. You must have signed in within the last 15 minutes.',
}

export const recentCalls = {
  title: 'Recent calls',
  none: 'No calls in the last 30 days. New calls appear after a few seconds.',
  done: 'done',
  failed: 'refused',
  refused: (code: string) => (code === 'internal' ? 'internal error' : `refused: ${code}`),
}
