// Printed by npm run generate from the samples of events. Do not change it by hand.

/** The `data` of one event of each type. */
export const eventSamples: Readonly<Record<string, Record<string, unknown>>> = {
  "form.submitted": {
    "submission_id": "sub_01k9t5bzzr3pgn7d4qm2xeyv8w",
    "form_id": "frm_01k9rw6h2yk8s5vj0c9tzf3b4n",
    "contact_id": "con_01k9t5c0ve7xq3m8nb2fw6hjra",
    "fields": {
      "email": "ana@example.com",
      "name": "Ana Ruiz",
      "level": "beginner"
    },
    "source_url": "https://fennoway.example.com/trial"
  },
  "contact.created": {
    "contact_id": "con_01k9t5c0ve7xq3m8nb2fw6hjra",
    "email": "ana@example.com",
    "phone": "+33612345678",
    "external_id": "user-1042",
    "name": "Ana Ruiz",
    "first_name": "Ana",
    "last_name": "Ruiz",
    "language": "es",
    "attributes": {
      "city": "Lyon",
      "level": "beginner"
    },
    "tags": [
      "newsletter",
      "trial"
    ],
    "consent": {
      "email": "subscribed",
      "sms": "none",
      "tracking": "none"
    },
    "topics": {
      "email": {
        "news": "subscribed"
      },
      "sms": {}
    },
    "source": "form",
    "consent_given": [
      "consent.email",
      "topics.email.news"
    ],
    "tags_added": [
      "newsletter",
      "trial"
    ]
  },
  "contact.updated": {
    "contact_id": "con_01k9t5c0ve7xq3m8nb2fw6hjra",
    "email": "ana@example.com",
    "phone": "+33612345678",
    "external_id": "user-1042",
    "name": "Ana Ruiz",
    "first_name": "Ana",
    "last_name": "Ruiz",
    "language": "es",
    "attributes": {
      "city": "Lyon",
      "level": "beginner"
    },
    "tags": [
      "newsletter",
      "trial",
      "vip"
    ],
    "consent": {
      "email": "subscribed",
      "sms": "none",
      "tracking": "none"
    },
    "topics": {
      "email": {
        "news": "subscribed"
      },
      "sms": {}
    },
    "source": "api",
    "consent_given": [],
    "tags_added": [
      "vip"
    ],
    "changed": [
      "phone",
      "tags"
    ]
  },
  "campaign.deployed": {
    "campaign_id": "cmp_01k9v2d4qz6ysk1p5tg8e9nb3m",
    "name": "Autumn timetable",
    "channel": "email",
    "status": "deployed",
    "recipients": 1840
  },
  "campaign.paused": {
    "campaign_id": "cmp_01k9v2d4qz6ysk1p5tg8e9nb3m",
    "name": "Autumn timetable",
    "channel": "email",
    "status": "paused",
    "recipients": 1840,
    "sent": 620,
    "reason": "requested"
  },
  "campaign.resumed": {
    "campaign_id": "cmp_01k9v2d4qz6ysk1p5tg8e9nb3m",
    "name": "Autumn timetable",
    "channel": "email",
    "status": "deployed",
    "recipients": 1840,
    "sent": 620
  },
  "message.sent": {
    "message_id": "msg_01k9v2e7h0r4wx5yc6zq8dts1k",
    "channel": "email",
    "contact_id": "con_01k9t5c0ve7xq3m8nb2fw6hjra",
    "campaign_id": "cmp_01k9v2d4qz6ysk1p5tg8e9nb3m",
    "to": "ana@example.com"
  },
  "message.delivered": {
    "message_id": "msg_01k9v2e7h0r4wx5yc6zq8dts1k",
    "channel": "email",
    "contact_id": "con_01k9t5c0ve7xq3m8nb2fw6hjra",
    "campaign_id": "cmp_01k9v2d4qz6ysk1p5tg8e9nb3m",
    "to": "ana@example.com",
    "delivered_at": "2026-11-02T09:00:14.000Z"
  },
  "message.bounced": {
    "message_id": "msg_01k9v2e7h0r4wx5yc6zq8dts1k",
    "channel": "email",
    "contact_id": "con_01k9t5c0ve7xq3m8nb2fw6hjra",
    "campaign_id": "cmp_01k9v2d4qz6ysk1p5tg8e9nb3m",
    "to": "ana@example.com",
    "reason": "5.1.1 user unknown",
    "suppressed": true
  },
  "message.opened": {
    "message_id": "msg_01k9v2e7h0r4wx5yc6zq8dts1k",
    "channel": "email",
    "contact_id": "con_01k9t5c0ve7xq3m8nb2fw6hjra",
    "campaign_id": "cmp_01k9v2d4qz6ysk1p5tg8e9nb3m",
    "to": "ana@example.com",
    "machine": false
  },
  "message.clicked": {
    "message_id": "msg_01k9v2e7h0r4wx5yc6zq8dts1k",
    "channel": "email",
    "contact_id": "con_01k9t5c0ve7xq3m8nb2fw6hjra",
    "campaign_id": "cmp_01k9v2d4qz6ysk1p5tg8e9nb3m",
    "to": "ana@example.com",
    "url": "https://fennoway.example.com/timetable",
    "machine": false
  },
  "domain.verified": {
    "domain": "mail.fennoway.example.com",
    "verified_at": "2026-11-01T16:20:05.000Z"
  },
  "usage.threshold": {
    "metric": "emails",
    "threshold": 80,
    "used": 20000,
    "limit": 25000,
    "tier": "growth",
    "month": "2026-11-01"
  },
  "message.accepted": {
    "message_id": "msg_01k9v2e7h0r4wx5yc6zq8dts1k",
    "channel": "email",
    "contact_id": "con_01k9t5c0ve7xq3m8nb2fw6hjra",
    "campaign_id": "cmp_01k9v2d4qz6ysk1p5tg8e9nb3m",
    "to": "ana@example.com",
    "accepted_at": "2026-11-02T09:00:12.000Z"
  },
  "message.deferred": {
    "message_id": "msg_01k9v2e7h0r4wx5yc6zq8dts1k",
    "channel": "email",
    "contact_id": "con_01k9t5c0ve7xq3m8nb2fw6hjra",
    "campaign_id": "cmp_01k9v2d4qz6ysk1p5tg8e9nb3m",
    "to": "ana@example.com",
    "reason": "4.2.1 mailbox busy",
    "next_attempt_at": "2026-11-02T09:00:44.000Z"
  },
  "message.failed": {
    "message_id": "msg_01k9v2e7h0r4wx5yc6zq8dts1k",
    "channel": "email",
    "contact_id": "con_01k9t5c0ve7xq3m8nb2fw6hjra",
    "campaign_id": "cmp_01k9v2d4qz6ysk1p5tg8e9nb3m",
    "to": "ana@example.com",
    "reason": "5.7.1 message refused"
  },
  "message.suppressed": {
    "message_id": "msg_01k9v2e7h0r4wx5yc6zq8dts1k",
    "channel": "email",
    "contact_id": "con_01k9t5c0ve7xq3m8nb2fw6hjra",
    "campaign_id": "cmp_01k9v2d4qz6ysk1p5tg8e9nb3m",
    "to": "ana@example.com",
    "reason": "complaint"
  },
  "message.complained": {
    "message_id": "msg_01k9v2e7h0r4wx5yc6zq8dts1k",
    "channel": "email",
    "contact_id": "con_01k9t5c0ve7xq3m8nb2fw6hjra",
    "campaign_id": "cmp_01k9v2d4qz6ysk1p5tg8e9nb3m",
    "to": "ana@example.com",
    "complained_at": "2026-11-02T11:20:00.000Z"
  },
  "message.replied": {
    "message_id": "msg_01k9v2e7h0r4wx5yc6zq8dts1k",
    "channel": "sms",
    "contact_id": "con_01k9t5c0ve7xq3m8nb2fw6hjra",
    "campaign_id": "cmp_01k9v2d4qz6ysk1p5tg8e9nb3m",
    "to": "+33612345678",
    "reply_id": "rpl_01k9v3f8j2s6xz1ad5vr9ewt4n",
    "text": "Is the class on Friday full?",
    "meaning": "other"
  },
  "contact.unsubscribed": {
    "contact_id": "con_01k9t5c0ve7xq3m8nb2fw6hjra",
    "email": "ana@example.com",
    "phone": "+33612345678",
    "channel": "email",
    "topic": null,
    "source": "person"
  },
  "contact.resubscribed": {
    "contact_id": "con_01k9t5c0ve7xq3m8nb2fw6hjra",
    "email": "ana@example.com",
    "phone": "+33612345678",
    "channel": "email",
    "topic": "news",
    "source": "person"
  },
  "contact.erased": {
    "contact_id": "con_01k9t5c0ve7xq3m8nb2fw6hjra",
    "reason": "requested"
  },
  "contact.event": {
    "contact_id": "con_01k9t5c0ve7xq3m8nb2fw6hjra",
    "event": "order",
    "event_id": "A-1042",
    "at": "2026-11-02T09:41:00.000Z",
    "value": 48,
    "currency": "EUR",
    "properties": {
      "course": "Yin yoga",
      "seats": 2
    }
  },
  "campaign.completed": {
    "campaign_id": "cmp_01k9v2d4qz6ysk1p5tg8e9nb3m",
    "name": "Autumn timetable",
    "channel": "email",
    "status": "completed",
    "recipients": 1840,
    "sent": 1836
  },
  "campaign.awaiting_approval": {
    "campaign_id": "cmp_01k9v2d4qz6ysk1p5tg8e9nb3m",
    "name": "Autumn timetable",
    "channel": "email",
    "status": "awaiting_approval",
    "recipients": 1840
  },
  "import.completed": {
    "import_id": "imp_01k9w0c4h1s5vx2zd7yq8nrt3m",
    "state": "done",
    "kind": "contacts",
    "created": 8420,
    "updated": 311,
    "unchanged": 1090,
    "refused": 12,
    "stayed_unsubscribed": 57
  },
  "domain.degraded": {
    "domain": "mail.fennoway.example.com",
    "missing_since": "2026-11-20T06:10:00.000Z"
  },
  "campaign.provider_held": {
    "campaign_id": "cmp_01k9v2d4qz6ysk1p5tg8e9nb3m",
    "name": "Autumn timetable",
    "channel": "email",
    "provider": "gmail",
    "reason": "refusals",
    "held_until": "2026-11-20T11:00:00.000Z",
    "sent": 412,
    "refused": 18,
    "complained": 0
  },
  "sequence.entered": {
    "sequence_id": "seq_01k9v3f8sb1n6zq4hw7ye2cktd",
    "name": "Welcome series",
    "version": 1,
    "contact_id": "con_01k9t5c0ve7xq3m8nb2fw6hjra",
    "entered_at": "2026-11-02T09:00:00.000Z",
    "holdout": false
  },
  "sequence.finished": {
    "sequence_id": "seq_01k9v3f8sb1n6zq4hw7ye2cktd",
    "name": "Welcome series",
    "version": 1,
    "contact_id": "con_01k9t5c0ve7xq3m8nb2fw6hjra",
    "entered_at": "2026-11-02T09:00:00.000Z"
  },
  "sequence.left": {
    "sequence_id": "seq_01k9v3f8sb1n6zq4hw7ye2cktd",
    "name": "Welcome series",
    "version": 1,
    "contact_id": "con_01k9t5c0ve7xq3m8nb2fw6hjra",
    "entered_at": "2026-11-02T09:00:00.000Z",
    "step": 3,
    "reason": "unsubscribed"
  },
  "sequence.notified": {
    "sequence_id": "seq_01k9v3f8sb1n6zq4hw7ye2cktd",
    "name": "Welcome series",
    "version": 1,
    "contact_id": "con_01k9t5c0ve7xq3m8nb2fw6hjra",
    "entered_at": "2026-11-02T09:00:00.000Z",
    "step": 2,
    "note": "Call them",
    "webhook_id": "whk_01k9v3f8sb1n6zq4hw7ye2ckte"
  },
  "webhook.failing": {
    "webhook_id": "whk_01k9v3f8sb1n6zq4hw7ye2ckte",
    "host": "crm.fennoway.example.com",
    "failing_since": "2026-11-20T06:10:00.000Z",
    "reason": "hour",
    "status": 503,
    "error": "The receiver answered 503. Anything but 2xx counts as a failure."
  }
}
