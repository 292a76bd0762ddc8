import type { RecipientWords } from './words.ts'

export const english: RecipientWords = {
  form: {
    submit: 'Send',
    required: 'required',
    choose: 'Please choose',
    yes: 'Yes',
    no: 'No',
    problems: 'Please check your answers',
    missing: 'Fill in this field.',
    email: 'Enter an email address such as ana@example.com.',
    phone: 'Enter a phone number with its country code, such as +44 20 7946 0000.',
    number: 'Enter a number such as 12 or 3.5.',
    date: 'Enter a day that exists.',
    url: 'Enter an address that starts with https://.',
    choice: 'Choose from the list.',
    tooLong: 'This is too long.',
    consentNeeded: 'Tick this box to go on.',
    thanksTitle: 'Thank you',
    thanksText: 'Your answers have arrived. You can close this page.',
    confirmTitle: 'One more step: check your inbox',
    confirmText: 'Open the email we send you and press the button in it to confirm.',
    closedTitle: 'This form is closed',
    closedText: 'It takes no answers at the moment.',
    expired:
      'This page was open for too long. Your answers are still here: please send them again.',
    tooMany: 'Too many answers came from your network. Please wait a minute and send them again.',
    tryAgain: 'Your answers could not be saved. They are still here: please send them again.',
    wait: 'One moment, please…',
    sendHere:
      'Please fill in the form here: programs have misused it, so we take answers from this page only.',
    leaveEmpty: 'Leave this field empty',
    close: 'Close',
    responsible: 'Responsible for your data',
    privacy: 'Privacy policy',
  },
  preferences: {
    title: (business) => `Messages from ${business}`,
    unsubscribed:
      'Done: you will get no more mailings by email. Those that were about to leave are stopped.',
    leftTopic: (topic) =>
      `Done: you will get no more mailings about ${topic}. You still get the others that you chose.`,
    saved: 'Your choice is saved.',
    askUnsubscribe: 'Press the button to get no more mailings by email.',
    unsubscribe: 'Unsubscribe',
    leaveTopic: (topic) => `Unsubscribe from ${topic}`,
    leaveAll: 'Unsubscribe from everything',
    legend: 'What you get',
    save: 'Save my choice',
    stillSent: 'You will still get messages about what you order or ask for.',
    emailChoice: (business) => `Send me news and offers from ${business} by email.`,
    smsChoice: (business) => `Send me news and offers from ${business} by SMS.`,
    trackingLegend: 'What is recorded',
    trackingChoice: (business) =>
      `${business} may record whether I open its emails and which links I follow.`,
    topics: 'Topics',
    often: 'How often?',
    oftens: {
      all: 'Whenever there is something',
      weekly: 'At most one message a week',
      pause: 'None for 30 days',
    },
    topicChoice: (topic, business) => `Send me ${topic} from ${business}.`,
    emailTo: (hint) => `Email to ${hint}`,
    smsTo: (hint) => `SMS to ${hint}`,
    goneTitle: 'Nothing is sent to you',
    goneText: (business) =>
      `${business ?? 'The sender'} no longer has your address, so there is nothing left to unsubscribe from. You can close this page.`,
    returnText:
      'If messages still reach you, use the link in the newest of them. Do you want them again? Enter your email address: we send you an email with a button that confirms it.',
    returnLabel: 'Email address',
    returnButton: 'Send me the email',
    returnAsked:
      'If messages to this address were stopped here, an email is on its way. Press the button in it to get messages again; until then nothing changes.',
    tooManyTitle: 'Too many changes',
    tooManyText:
      'You changed your choice very often. Please wait an hour before you ask for more messages. You can stop messages at any time.',
  },
  confirmation: {
    subject: (business) => `Please confirm: messages from ${business}`,
    text: (business) =>
      `Somebody, most likely you, asked ${business} to write to this address. Press the button to confirm.`,
    button: 'Confirm',
    ignore: 'If it was not you, do nothing: without your confirmation you get no mailings.',
    pageText: (business) => `Press the button to get messages from ${business}.`,
    doneTitle: 'Confirmed',
    doneText: (business) => `You will get messages from ${business}. You can close this page.`,
    expiredTitle: 'This link has expired',
    expiredText: 'Fill in the form once more to get a new one.',
  },
  mail: { preferences: 'Unsubscribe or choose what you get' },
  view: {
    link: 'View in browser',
    goneTitle: 'This email can no longer be shown',
    goneText: 'What it said is no longer stored. You can still read it in your mailbox.',
  },
  sms: {
    stopped: (business) =>
      `${business}: You will get no more texts from this number. Reply START to get them again.`,
    started: (business) =>
      `${business}: You will get our texts again. Reply HELP for help, STOP to end.`,
    help: (business, contact) => `${business}: ${contact}Reply STOP to end texts from this number.`,
    writeTo: (address) => `Write to ${address}`,
  },
  archive: {
    title: (business) => `Emails from ${business}`,
    empty: 'No email is here yet.',
    older: 'Older emails',
    newest: 'Newest emails',
    feed: 'RSS feed',
    all: (business) => `All emails from ${business}`,
    subscribe: 'Subscribe',
    personalTitle: 'This link is personal',
    personalText:
      'It works only in the email that its recipient got. Open that email to unsubscribe or to choose what you get.',
  },
  errors: {
    linkTitle: 'This link does not work',
    linkText:
      'It may have been cut off when it was copied. Open the message again and follow the link there. If that leads here too, reply to the message and tell its sender. Nothing was changed.',
    pageTitle: 'Page not found',
    pageText: 'There is no page at this address.',
    busyTitle: 'Too many requests',
    busyText: 'Too many pages were opened from your network. Please wait a minute and try again.',
    failedTitle: 'Something went wrong on our side',
    failedText: 'Please try again in a moment.',
  },
  sentWith: 'Sent with Crier',
  skipToPage: 'Skip to the page',
}
