export const pastVolume = {
  question: 'Have you sent from this domain before?',
  text: 'If you are moving from another service, enter how many emails the domain sent there on a usual day. Once the operator of this service approves it, the warm-up starts at the matching day.',
  perDay: 'Emails per day',
  note: 'From where and since when (optional)',
  send: 'Request approval',
  waiting: (mails: string, when: string) =>
    `You stated ${mails} emails per day ${when}. The operator has not answered yet.`,
  approved: (mails: string, when: string) =>
    `The operator approved ${mails} emails per day ${when}. The warm-up started at the matching day.`,
  refused: (mails: string, when: string) =>
    `The operator refused your ${mails} emails per day ${when}. The warm-up starts at day 1.`,
  answer: 'Operator’s answer:',
  newProvider: (most: string) =>
    `A provider this domain has not sent to yet starts with ${most} emails.`,
}
