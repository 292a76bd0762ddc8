/**
 * Bytes of JSON that each tool may take in `tools/list`, for the whole catalogue as it is
 * designed: together they fit an assistant's 48 kB, whatever is built first. A tool that
 * needs more takes it from another.
 */
export const wholeList = 48_000

/**
 * For operations of later issues, which take their shares from here: imports,
 * exports, files and sequences, some ten of about 430 bytes.
 */
export const later = 1_710

export const budget: Record<string, number> = {
  'business.list': 526,
  'business.get': 414,
  'business.save': 1_722,
  'meta.capabilities': 483,
  'meta.usage': 468,
  'meta.changes': 1_145,
  'contact.upsert': 2_100,
  'contact.import': 934,
  'contact.track': 900,
  'contact.tag': 850,
  'contact.list': 1_291,
  'contact.get': 754,
  'contact.merge': 609,
  'contact.suppress': 583,
  'suppression.list': 523,
  'contact.erase': 556,
  'segment.save': 784,
  'segment.list': 551,
  'segment.get': 441,
  'segment.explain': 700,
  'segment.delete': 530,
  'form.list': 744,
  'form.get': 543,
  'form.save': 1_880,
  'form.submit': 1_060,
  'submission.list': 685,
  'template.list': 576,
  'template.save': 1_070,
  'email.send': 1_659,
  'sms.send': 883,
  'message.list': 891,
  'message.get': 529,
  'message.cancel': 576,
  'reply.list': 592,
  'reply.decide': 621,
  'campaign.list': 623,
  'campaign.get': 538,
  'campaign.save': 1_510,
  'campaign.test': 622,
  'campaign.cancel': 517,
  'campaign.resend': 796,
  'campaign.generate': 2_075,
  'campaign.preview': 649,
  'campaign.deploy': 951,
  'campaign.pause': 508,
  'campaign.resume': 514,
  'campaign.why': 646,
  'domain.add': 562,
  'domain.status': 649,
  'domain.remove': 538,
  'webhook.save': 1_120,
  'webhook.list': 656,
  'webhook.delete': 587,
  'webhook.rotate': 708,
  'webhook.deliveries': 868,
  'webhook.replay': 649,
  'webhook.test': 682,
}
