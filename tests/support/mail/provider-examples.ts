/**
 * The notifications that mail providers publish as examples, word for word but for what names the
 * message.
 */

/** https://postmarkapp.com/developer/webhooks and https://postmarkapp.com/email-webhooks */
const postmark = (message: string) => {
  const common = {
    Tag: 'Test',
    MessageID: '883953f4-6105-42a2-a16a-77a8eac79483',
    ServerID: 23,
    MessageStream: 'outbound',
    Metadata: { a_key: 'a_value', 'crier-message': message },
  }
  const bounce = {
    ...common,
    RecordType: 'Bounce',
    ID: 42,
    Type: 'HardBounce',
    TypeCode: 1,
    Name: 'Hard bounce',
    Description:
      'The server was unable to deliver your message (ex: unknown user, mailbox not found).',
    Details: 'Test bounce details',
    Email: 'john@example.com',
    From: 'sender@example.com',
    BouncedAt: '2019-11-05T16:33:54.9070259Z',
    DumpAvailable: true,
    Inactive: true,
    CanActivate: true,
    Subject: 'Test subject',
  }
  return {
    delivered: {
      ...common,
      RecordType: 'Delivery',
      Recipient: 'john@example.com',
      DeliveredAt: '2019-11-05T16:33:54.9070259Z',
      Details: 'Test delivery webhook details',
    },
    bounced: bounce,
    complained: {
      ...bounce,
      RecordType: 'SpamComplaint',
      Type: 'SpamComplaint',
      TypeCode: 512,
      Name: 'Spam complaint',
      Description: '',
      Details: 'Test spam complaint details',
      CanActivate: false,
    },
    deferred: { ...bounce, Type: 'Transient', TypeCode: 2, Name: 'Message delayed' },
    policy: {
      ...bounce,
      Type: 'Blocked',
      TypeCode: 100_006,
      Details: 'smtp;550 5.7.1 Service unavailable; client host blocked',
    },
    unsubscribed: {
      ...common,
      RecordType: 'SubscriptionChange',
      MessageStream: 'broadcast',
      ChangedAt: '2020-02-01T10:53:34.416071Z',
      Recipient: 'john@example.com',
      Origin: 'Recipient',
      SuppressSending: true,
      SuppressionReason: 'ManualSuppression',
    },
    other: { ...common, RecordType: 'Open', FirstOpen: true, Recipient: 'john@example.com' },
  }
}

/** https://documentation.mailgun.com/docs/mailgun/user-manual/webhooks/webhook-payloads */
const mailgun = (message: string) => {
  const common = {
    flags: {
      'is-routed': false,
      'is-authenticated': true,
      'is-system-test': false,
      'is-test-mode': false,
    },
    message: {
      headers: {
        to: 'Alice <alice@example.com>',
        'message-id': `${message}@shop.test`,
        from: 'Bob <bob@example.com>',
        subject: 'Test delivered webhook',
      },
      attachments: [],
      size: 111,
    },
    recipient: 'alice@example.com',
    'recipient-domain': 'example.com',
    tags: ['my_tag_1', 'my_tag_2'],
    'user-variables': { my_var_1: 'Mailgun Variable #1', 'my-var-2': 'awesome' },
  }
  const permanent = {
    ...common,
    id: 'G9Bn5sl1TC6nu79C8C0bwg',
    timestamp: 1521233195.375624,
    'log-level': 'error',
    event: 'failed',
    severity: 'permanent',
    reason: 'suppress-bounce',
    'delivery-status': {
      'attempt-no': 1,
      message: '',
      code: 605,
      'enhanced-code': '',
      description: 'Not delivering to previously bounced address',
      'session-seconds': 0,
    },
  }
  return {
    delivered: {
      ...common,
      id: 'CPgfbmQMTCKtHW6uIWtuVe',
      timestamp: 1521472262.908181,
      'log-level': 'info',
      event: 'delivered',
      'delivery-status': {
        tls: true,
        'mx-host': 'smtp-in.example.com',
        code: 250,
        description: '',
        'session-seconds': 0.4331989288330078,
        utf8: true,
        'attempt-no': 1,
        message: 'OK',
        'certificate-verified': true,
      },
    },
    bounced: {
      ...permanent,
      reason: 'bounce',
      'delivery-status': {
        'attempt-no': 1,
        code: 550,
        'enhanced-code': '5.1.1',
        message: '5.1.1 The email account that you tried to reach does not exist.',
        description: '',
      },
    },
    complained: {
      ...common,
      id: '-Agny091SquKnsrW2NEKUA',
      timestamp: 1521233123.501324,
      'log-level': 'warn',
      event: 'complained',
    },
    deferred: {
      ...common,
      id: 'Fs7-5t81S2ispqxqDw2U4Q',
      timestamp: 1521472262.908181,
      'log-level': 'warn',
      event: 'failed',
      reason: 'generic',
      severity: 'temporary',
      'delivery-status': {
        'attempt-no': 1,
        code: 452,
        description: '',
        'enhanced-code': '4.2.2',
        message: '4.2.2 The email account that you tried to reach is over quota.',
        'mx-host': 'smtp-in.example.com',
        'retry-seconds': 600,
      },
    },
    unsubscribed: {
      ...common,
      id: 'Ase7i2zsRYeDXztHGENqRA',
      timestamp: 1521243339.873676,
      'log-level': 'info',
      event: 'unsubscribed',
      'client-info': { 'client-name': 'Chrome', 'device-type': 'desktop' },
      ip: '50.56.129.169',
    },
    untried: permanent,
    other: { ...common, id: 'Ase7i2zsRYeDXztHGENqRA', timestamp: 1521243339.8, event: 'clicked' },
  }
}

/** https://developers.brevo.com/docs/transactional-webhooks */
const brevo = (message: string) => {
  const common = {
    email: 'example@domain.com',
    id: 7,
    date: '2020-10-09 00:00:00',
    ts: 1_604_933_619,
    'message-id': '201798300811.5787683@relay.domain.com',
    ts_event: 1_604_933_654,
    subject: 'My first Transactional',
    'X-Mailin-custom': message,
    template_id: 22,
    tags: ['transac_messages'],
    ts_epoch: 1_604_933_623,
  }
  return {
    delivered: { ...common, event: 'delivered', sending_ip: '192.0.2.7' },
    bounced: { ...common, event: 'hard_bounce', reason: 'server is down' },
    soft: { ...common, event: 'soft_bounce', reason: 'server is down' },
    complained: { ...common, event: 'spam' },
    deferred: { ...common, event: 'deferred', reason: 'spam' },
    untried: { ...common, event: 'blocked', reason: 'blocked : due to blacklist user' },
    unsubscribed: { ...common, event: 'unsubscribed', sending_ip: '192.0.2.7' },
    other: { ...common, event: 'request' },
  }
}

/** https://resend.com/docs/webhooks/emails/bounced and the pages beside it */
const resend = (message: string) => {
  const data = {
    broadcast_id: '8b146471-e88e-4322-86af-016cd36fd216',
    created_at: '2026-02-22T23:41:11.894719+00:00',
    email_id: '56761188-7520-42d8-8898-ff6fc54ce618',
    from: 'Acme <onboarding@resend.dev>',
    to: ['delivered@resend.dev'],
    subject: 'Sending this example',
    template_id: '43f68331-0622-4e15-8202-246a0388854b',
    headers: [{ name: 'X-Crier-Message', value: message }],
    tags: { category: 'confirm_email' },
  }
  const created_at = '2026-02-22T23:41:12.126Z'
  const bounce = {
    diagnosticCode: ['smtp; 550 5.5.0 Requested action not taken: mailbox unavailable'],
    message: 'The recipient’s email provider sent a hard bounce message.',
    subType: 'General',
    type: 'Permanent',
  }
  return {
    delivered: { type: 'email.delivered', created_at, data },
    bounced: { type: 'email.bounced', created_at, data: { ...data, bounce } },
    untried: {
      type: 'email.bounced',
      created_at,
      data: {
        ...data,
        bounce: {
          message:
            "The recipient's email address is on the suppression list because it has a recent history of producing hard bounces.",
          subType: 'Suppressed',
          type: 'Permanent',
        },
      },
    },
    complained: { type: 'email.complained', created_at, data },
    deferred: { type: 'email.delivery_delayed', created_at, data },
    other: { type: 'email.opened', created_at, data },
  }
}

/** https://dev.mailjet.com/email/guides/webhooks/ */
const mailjet = (message: string) => {
  const common = {
    time: 1_430_812_195,
    MessageID: 13_792_286_917_004_336,
    Message_GUID: '1ab23cd4-e567-8901-2345-6789f0gh1i2j',
    email: 'bounce@mailjet.com',
    mj_campaign_id: 0,
    mj_contact_id: 0,
    customcampaign: '',
    CustomID: message,
    Payload: '',
  }
  const bounce = { ...common, event: 'bounce', blocked: true, hard_bounce: true }
  return {
    delivered: {
      ...common,
      event: 'sent',
      time: 1_433_333_949,
      mj_message_id: '19421777835146490',
      smtp_reply: 'sent (250 2.0.0 OK 1433333948 fa5si855896wjc.199 - gsmtp)',
    },
    bounced: { ...bounce, error_related_to: 'recipient', error: 'user unknown' },
    soft: {
      ...bounce,
      blocked: false,
      hard_bounce: false,
      error_related_to: 'system',
      error: 'connection issue',
    },
    policy: { ...bounce, error_related_to: 'spam', error: 'content blocked' },
    untried: { ...common, event: 'blocked', error_related_to: 'mailjet', error: 'preblocked' },
    complained: { ...common, event: 'spam', source: 'JMRPP' },
    deferred: {
      ...bounce,
      hard_bounce: false,
      error_related_to: 'domain',
      error: 'greylisted',
    },
    unsubscribed: {
      ...common,
      event: 'unsub',
      time: 1_433_334_941,
      mj_list_id: 1,
      ip: '127.0.0.1',
      geo: 'FR',
      agent: 'Mozilla/5.0',
    },
    other: { ...common, event: 'open', ip: '127.0.0.1', geo: 'US' },
  }
}

export const examples = { postmark, mailgun, brevo, resend, mailjet }
export type ExampleProvider = keyof typeof examples
