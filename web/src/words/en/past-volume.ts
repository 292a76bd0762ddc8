export const pastVolume = {
  question: 'You sent from this domain before?',
  text: 'If you come from another service, say how many mails the domain sent there on a usual day. Whoever runs this service may approve it; the warm-up then begins at the day that matches.',
  perDay: 'Mails a day',
  note: 'From where and since when (optional)',
  send: 'Send the statement',
  waiting: (mails: string, when: string) =>
    `You stated ${mails} mails a day ${when}. The answer of the service’s operator is not there yet.`,
  approved: (mails: string, when: string) =>
    `The operator approved ${mails} mails a day ${when}. The warm-up began at the day that matches.`,
  refused: (mails: string, when: string) =>
    `The operator refused your statement of ${mails} mails a day ${when}. The warm-up begins at the first day.`,
  answer: 'The operator’s answer:',
  newProvider: (most: string) =>
    `A provider that this domain has not sent to yet begins with ${most} mails.`,
}
