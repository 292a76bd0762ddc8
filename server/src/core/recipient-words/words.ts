/**
 * All words that recipients read from the service itself and not from the business: forms,
 * confirmation, preferences, the footer of mail, answers to STOP and HELP. Each language has a file
 * beside this one, and the compiler checks that it is complete.
 */

/** The sentences of one language. Functions take names that strangers chose: escape the result. */
export interface RecipientWords {
  form: {
    submit: string
    required: string
    /** The first line of a list from which the person must choose. */
    choose: string
    yes: string
    no: string
    /** The heading of the list of problems to correct. */
    problems: string
    missing: string
    email: string
    phone: string
    number: string
    date: string
    url: string
    choice: string
    tooLong: string
    consentNeeded: string
    thanksTitle: string
    thanksText: string
    confirmTitle: string
    confirmText: string
    closedTitle: string
    closedText: string
    expired: string
    tooMany: string
    tryAgain: string
    /** Shown while the browser of a guarded form's visitor works on its challenge. */
    wait: string
    /** Shown after a post from elsewhere to a guarded form. */
    sendHere: string
    /** Labels a field that people do not see; a person who sees it leaves it empty. */
    leaveEmpty: string
    /** The button of a form that opened over another site's page. */
    close: string
    /** Before the name and address of the business, below a form that asks for consent. */
    responsible: string
    /** The link to the business's privacy policy. */
    privacy: string
  }
  preferences: {
    title: (business: string) => string
    unsubscribed: string
    leftTopic: (topic: string) => string
    saved: string
    askUnsubscribe: string
    unsubscribe: string
    leaveTopic: (topic: string) => string
    leaveAll: string
    legend: string
    save: string
    stillSent: string
    emailChoice: (business: string) => string
    smsChoice: (business: string) => string
    /** The heading of the choice about being tracked. */
    trackingLegend: string
    trackingChoice: (business: string) => string
    /** The heading of the topics of one channel. */
    topics: string
    /** The heading of the choice how often marketing comes. */
    often: string
    oftens: { all: string; weekly: string; digest: string; pause: string }
    /** The text of a choice of one topic, for the consent ledger. */
    topicChoice: (topic: string, business: string) => string
    emailTo: (hint: string) => string
    smsTo: (hint: string) => string
    goneTitle: string
    goneText: (business: string | undefined) => string
    /** Shown to a person whose data is gone, above a field for their address. */
    returnText: string
    returnLabel: string
    returnButton: string
    /** The same for every address, so that it does not reveal whose data was here. */
    returnAsked: string
    tooManyTitle: string
    tooManyText: string
  }
  confirmation: {
    subject: (business: string) => string
    text: (business: string) => string
    button: string
    ignore: string
    pageText: (business: string) => string
    doneTitle: string
    doneText: (business: string) => string
    expiredTitle: string
    expiredText: string
  }
  mail: { preferences: string }
  /** A mail's link to its view in a browser, and its page once what the mail said was deleted. */
  view: { link: string; goneTitle: string; goneText: string }
  sms: {
    stopped: (business: string) => string
    started: (business: string) => string
    /** `contact` says how to reach the business and ends with a full stop and a space, or is empty. */
    help: (business: string, contact: string) => string
    writeTo: (address: string) => string
  }
  /** The public archive of a business: the list of its emails, and one of them. */
  archive: {
    title: (business: string) => string
    empty: string
    older: string
    newest: string
    feed: string
    /** Leads from one email to the list. */
    all: (business: string) => string
    /** Leads to the form of the business. */
    subscribe: string
    /** The page of a link that only the recipient's own email can have. */
    personalTitle: string
    personalText: string
  }
  /** Pages that say why there is nothing else to show. */
  errors: {
    linkTitle: string
    linkText: string
    pageTitle: string
    pageText: string
    busyTitle: string
    busyText: string
    failedTitle: string
    failedText: string
  }
  sentWith: string
  skipToPage: string
}
