/** A person's second factor, the dialog that asks for it, and what a business asks of its members. */
export const factors = {
  title: 'Authenticator app',
  about:
    'An app on your phone shows a new code every 30 seconds. Once it is set up, signing in by email also asks for a code.',
  required: (from: string) =>
    `A second factor is required from ${from}. Add a passkey or set up an authenticator app.`,
  countsFrom: (when: string) =>
    `This factor is new: it counts from ${when}. Until then you can only look, unless an owner confirms it on the page Members.`,
  setUp: 'Set up',
  replace: 'Replace',
  setUpTitle: 'Set up an authenticator app',
  scan: 'Scan this code with your authenticator app, then enter the six digits it shows.',
  qr: 'QR code for your authenticator app',
  orType: 'No camera? Type this key into the app:',
  firstCode: 'Code from the app',
  add: 'Add app',
  wasAdded: 'Authenticator app added',
  added: (when: string) => `Added ${when}`,
  used: (when: string) => `last used ${when}`,
  remove: 'Remove app',
  removeTitle: 'Remove the authenticator app?',
  removeText: 'Its codes no longer work. Delete the entry in the app as well.',
  removed: 'Authenticator app removed',
  codesLeft: (left: number) =>
    left === 1 ? 'One recovery code left' : `${left} recovery codes left`,
  newCodes: 'Make new codes',
  newCodesTitle: 'Make new recovery codes?',
  newCodesText: 'The codes you have now stop working.',
  codesTitle: 'Your recovery codes',
  codesText:
    'Keep these codes where you will find them without your phone. Each works once in place of your second factor. They are not shown again.',
  copyCodes: 'Copy codes',
  saved: 'I have saved them',
}

export const confirm = {
  title: 'Confirm that it’s you',
  text: 'This asks for your second factor. What you were doing continues right after.',
  none: 'This asks for a second factor, and you have none yet. Set one up, then try again.',
  code: 'Code from your authenticator app',
  codeHint: 'Without your phone, enter a recovery code.',
  recoveryCode: 'Recovery code',
  recoveryHint: 'Only if you don’t have your passkey.',
  byPasskey: 'Use passkey',
  confirm: 'Confirm',
  setUp: 'Set one up',
}

export const rules = {
  title: 'Second factor',
  about:
    'A passkey or an authenticator app besides the mailbox, so that whoever reads a member’s mail cannot act for them.',
  required: 'Members need a second factor',
  fresh: 'Ask for it again before important acts',
  freshHint:
    'Approving, API keys, exports, lifting suppressions, raising limits, and changing members, each within 5 minutes of confirming.',
  days: 'Days until it is required',
  daysHint: 'Members are told by email. Until then they can set one up.',
  from: (when: string) => `Required from ${when}`,
  byOperator: 'The operator of this service requires it of everybody.',
  saved: 'Saved',
  asksFresh: 'Important acts ask for it again.',
  off: 'Not required.',
  change: 'Change',
  has: 'Second factor set up',
  hasNone: 'No second factor',
  signedIn: (when: string) => `last signed in ${when}`,
  ways: {
    mail: 'by email',
    passkey: 'with a passkey',
    code: 'by email and code',
    recovery_code: 'with a recovery code',
    company: 'with the company’s sign-in',
  } as Record<string, string>,
  reset: 'Reset second factor',
  resetTitle: (email: string) => `Reset the second factor of ${email}?`,
  resetText:
    'For a member who has lost phone, passkeys and recovery codes. You both get an email. It happens after 24 hours, or at once when another owner confirms; the member can stop it.',
  resetAsked: 'Reset in 24 hours, unless another owner confirms before',
  resetDone: 'Second factor reset',
  resetWaits: (when: string) => `Second factor will be reset ${when}`,
  confirmReset: 'Confirm reset',
  confirmResetText:
    'If another owner asked for it, it happens at once: passkeys, authenticator app and recovery codes are removed, and all sessions end. Ask the member in person or by phone first. If you asked for it yourself, another owner has to confirm it.',
  newFactor: (when: string) => `New second factor, counts from ${when}`,
  accept: 'Confirm second factor',
  acceptTitle: (email: string) => `Was it ${email} who set up the second factor?`,
  acceptText:
    'It was set up with their mailbox alone, so it counts only after 24 hours. Ask them in person or by phone, not by email. Once you confirm, it counts at once.',
  accepted: 'Second factor confirmed',
  held: (when: string) => `Held since ${when}`,
  release: 'Let this member go on',
  releaseTitle: (email: string) => `Let ${email} go on?`,
  releaseText:
    'Your company’s sign-in no longer confirms this person. They cannot get in here, calls of their connected apps and API keys are refused, and their webhooks wait. All of it goes on by itself when the person signs in at the company again. Ask them or your company first. If they have left, take over the keys that programs need on the page API keys and hand over their webhooks, then remove the member.',
  released: 'This member’s apps, keys and webhooks go on',
  withdrawReset: 'Take back the reset',
  withdrawn: 'Reset taken back',
  stopReset: 'Stop the reset',
  stopped: 'Reset stopped',
}

export const address = {
  title: 'Address',
  about:
    'Both mailboxes get a link and confirm within 24 hours. For 7 days the old one can undo the change.',
  signIn: (email: string) => `You sign in as ${email}.`,
  pending: (email: string, when: string) =>
    `A change to ${email} waits until ${when} for both mailboxes.`,
  waitsForOld: (email: string) => `${email} still has to be confirmed from your present mailbox.`,
  waitsForNew: (email: string) => `The mailbox of ${email} still has to confirm.`,
  change: 'Change address',
  newAddress: 'New email address',
  send: 'Send links',
  sent: 'Check both mailboxes',
}

export const ownership = {
  transfer: 'Transfer ownership',
  title: (email: string) => `Transfer ownership to ${email}?`,
  text: 'The member has 7 days to accept. Then they own the business, and you are an admin.',
  offer: 'Offer ownership',
  offered: 'Offered. The member gets an email.',
  toYou: (from: string) => `${from} offers you the ownership of this business.`,
  byYou: (to: string) => `You offered the ownership of this business to ${to}.`,
  accept: 'Accept',
  decline: 'Decline',
  withdraw: 'Withdraw offer',
  accepted: 'You own this business now',
  ended: 'Offer ended',
}

export const companyAccounts = {
  title: 'Company accounts',
  linked: (when: string) => `Linked ${when}`,
  used: (when: string) => `last used ${when}`,
  unlink: 'Unlink',
  unlinkTitle: (host: string) => `Unlink the account at ${host}?`,
  unlinkText:
    'It no longer signs you in. Other browsers that it signed in are signed out. You can sign in by email or passkey.',
  unlinked: 'Company account unlinked',
}
