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
    date: 'Enter a valid date.',
    url: 'Enter an address that starts with https://.',
    choice: 'Choose from the list.',
    tooLong: 'This is too long.',
    consentNeeded: 'Tick this box to continue.',
    thanksTitle: 'Thank you',
    thanksText: 'Your answers have been received. You can close this page.',
    confirmTitle: 'One more step: check your inbox',
    confirmText: 'Open the email we send you and press the button in it to confirm.',
    closedTitle: 'This form is closed',
    closedText: 'It is not accepting answers at the moment.',
    expired:
      'This page was open for too long. Your answers are still here: please send them again.',
    tooMany:
      'Too many answers have come from your network. Please wait a minute and send yours again.',
    tryAgain: 'Your answers could not be saved. They are still here: please send them again.',
    wait: 'One moment, please…',
    sendHere:
      'Please fill in the form here. Bots have misused it elsewhere, so answers are accepted only on this page.',
    leaveEmpty: 'Leave this field empty',
    close: 'Close',
    responsible: 'Responsible for your data',
    privacy: 'Privacy policy',
  },
  preferences: {
    title: (business) => `Messages from ${business}`,
    unsubscribed:
      'You are unsubscribed and will get no more marketing by email. Emails that were about to be sent have been stopped.',
    leftTopic: (topic) =>
      `You are unsubscribed and will get no more emails about ${topic}. You still get the others you chose.`,
    saved: 'Your choices have been saved.',
    askUnsubscribe: 'Press the button to stop all marketing by email.',
    unsubscribe: 'Unsubscribe',
    leaveTopic: (topic) => `Unsubscribe from ${topic}`,
    leaveAll: 'Unsubscribe from everything',
    legend: 'What you get',
    save: 'Save my choices',
    stillSent: 'You will still get messages about your orders and requests.',
    emailChoice: (business) => `Send me news and offers from ${business} by email.`,
    smsChoice: (business) => `Send me news and offers from ${business} by SMS.`,
    trackingLegend: 'Tracking',
    trackingChoice: (business) =>
      `${business} may record whether I open its emails and which links I follow.`,
    topics: 'Topics',
    often: 'How often?',
    oftens: {
      all: 'Whenever there is news',
      weekly: 'At most one message a week',
      digest: 'Only the regular digest',
      pause: 'Pause for 30 days',
    },
    topicChoice: (topic, business) => `Send me ${topic} from ${business}.`,
    emailTo: (hint) => `Email to ${hint}`,
    smsTo: (hint) => `SMS to ${hint}`,
    goneTitle: 'Nothing is sent to you',
    goneText: (business) =>
      `${business ?? 'The sender'} no longer has your address, so there is nothing left to unsubscribe from. You can close this page.`,
    returnText:
      'If messages still reach you, use the link in the latest one. Would you like to get them again? Enter your email address, and we will send you an email with a button to confirm.',
    returnLabel: 'Email address',
    returnButton: 'Send the email',
    returnAsked:
      'If messages to this address were stopped here, an email is on its way. Press the button in it to get messages again; until then nothing changes.',
    tooManyTitle: 'Too many changes',
    tooManyText:
      'You have changed your choices very often. Please wait an hour before you ask for more messages. You can stop messages at any time.',
  },
  confirmation: {
    subject: (business) => `Please confirm: messages from ${business}`,
    text: (business) =>
      `Someone, most likely you, asked ${business} to send email to this address. Press the button to confirm.`,
    button: 'Confirm',
    ignore: 'If this was not you, ignore this email: you will get nothing unless you confirm.',
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
    goneText: 'Its content is no longer stored. You can still read it in your mailbox.',
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
    empty: 'No emails here yet.',
    older: 'Older emails',
    newest: 'Newest emails',
    feed: 'RSS feed',
    all: (business) => `All emails from ${business}`,
    subscribe: 'Subscribe',
    personalTitle: 'This link is personal',
    personalText:
      'It works only in the email its recipient got. Open that email to unsubscribe or choose what you get.',
  },
  errors: {
    linkTitle: 'This link does not work',
    linkText:
      'It may have been cut off when it was copied. Open the message again and follow the link there. If that leads here too, reply to the message to tell its sender. Nothing was changed.',
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
