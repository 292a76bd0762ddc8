/**
 * The list of operations, in the order assistants see them. Adding one is one line
 * here; everything a caller meets is derived from its definition.
 */
import { businessGet } from '../businesses/get.ts'
import { businessList } from '../businesses/list.ts'
import { businessSave } from '../businesses/save.ts'
import { campaignCancel } from '../campaigns/cancel.ts'
import { campaignDecide } from '../campaigns/decide.ts'
import { campaignDeploy } from '../campaigns/deploy.ts'
import { campaignGenerate } from '../campaigns/generate.ts'
import { campaignGet } from '../campaigns/get.ts'
import { campaignList } from '../campaigns/list.ts'
import { campaignPause } from '../campaigns/pause.ts'
import { campaignPreview } from '../campaigns/preview.ts'
import { campaignResend } from '../campaigns/resend.ts'
import { campaignResume } from '../campaigns/resume.ts'
import { campaignSample } from '../campaigns/sample.ts'
import { campaignSave } from '../campaigns/save.ts'
import { campaignTest } from '../campaigns/send-test.ts'
import { campaignWhy } from '../campaigns/why.ts'
import { contactErase } from '../contacts/erase.ts'
import { contactGet } from '../contacts/get.ts'
import { contactImport } from '../contacts/import.ts'
import { contactMerge } from '../contacts/join.ts'
import { suppressionLift } from '../contacts/lift-suppression.ts'
import { contactList } from '../contacts/list.ts'
import { suppressionList } from '../contacts/list-suppressions.ts'
import { contactSuppress } from '../contacts/suppress.ts'
import { contactUpsert } from '../contacts/upsert.ts'
import { domainAdd } from '../domains/add.ts'
import { domainRemove } from '../domains/remove.ts'
import { domainStatus } from '../domains/status.ts'
import { changes } from '../events/changes.ts'
import { formGet } from '../forms/get.ts'
import { formList } from '../forms/list.ts'
import { submissionList } from '../forms/list-submissions.ts'
import { formSave } from '../forms/save.ts'
import { formSubmit } from '../forms/submit.ts'
import { messageCancel } from '../messages/cancel.ts'
import { messageGet } from '../messages/get.ts'
import { messageList } from '../messages/list.ts'
import { emailSend } from '../messages/send.ts'
import { smsSend } from '../messages/send-sms.ts'
import { memberLeave } from '../people/leave.ts'
import { invitationList } from '../people/list-invitations.ts'
import { memberList } from '../people/list-members.ts'
import { membersOf } from '../people/members.ts'
import { memberRemove } from '../people/remove-member.ts'
import { memberSave } from '../people/save-member.ts'
import { invitationWithdraw } from '../people/withdraw-invitation.ts'
import type { Operation } from '../platform/operation.ts'
import { replyDecide } from '../replies/decide.ts'
import { replyList } from '../replies/list.ts'
import { templateList } from '../templates/list.ts'
import { templateSave } from '../templates/save.ts'
import { findTemplateVersion } from '../templates/version.ts'
import { usageReport } from '../usage/report.ts'
import { webhookDelete } from '../webhooks/delete.ts'
import { webhookDeliveries } from '../webhooks/deliveries.ts'
import { webhookFailed } from '../webhooks/failed.ts'
import { webhookGet } from '../webhooks/get.ts'
import { webhookList } from '../webhooks/list.ts'
import { webhookReplay } from '../webhooks/replay.ts'
import { webhookRotate } from '../webhooks/rotate.ts'
import { webhookSave } from '../webhooks/save.ts'
import { webhookTest } from '../webhooks/send-test.ts'
import { capabilities, type Facilities } from './capabilities.ts'

/**
 * What people do in the app alone: no connection can, whatever its scopes. No tool, no page
 * of the reference and no method of the SDK is made of it.
 */
export function appCatalogOf(
  facilities: Pick<Facilities, 'invitations' | 'senders' | 'templates' | 'campaigns'>,
): readonly Operation[] {
  const planning = { ...facilities, ...facilities.campaigns }
  return [
    memberList,
    memberSave(facilities.invitations),
    memberRemove,
    suppressionLift,
    invitationList,
    invitationWithdraw,
    campaignSample(facilities),
    campaignDecide(planning),
    // Last, since whoever leaves can do none of the others any more: walks go by this order.
    memberLeave,
  ]
}

export function catalogOf(facilities: Facilities): readonly Operation[] {
  const planning = { ...facilities, ...facilities.campaigns }
  const catalog: readonly Operation[] = [
    businessList(facilities.settings),
    businessGet(facilities.settings),
    businessSave(facilities.settings),
    capabilities(() => catalog, facilities),
    usageReport,
    changes,
    contactUpsert,
    contactImport(),
    contactList,
    contactGet,
    contactMerge(facilities),
    contactSuppress,
    contactErase,
    suppressionList,
    formList(),
    formGet(),
    formSave,
    formSubmit(facilities),
    submissionList,
    templateList,
    templateSave(facilities),
    webhookSave(facilities.webhooks),
    webhookList(facilities.webhooks),
    webhookGet(facilities.webhooks),
    webhookDelete,
    webhookRotate(facilities.webhooks),
    emailSend({ ...facilities.texts, ...facilities, findTemplate: findTemplateVersion }),
    smsSend({ ...facilities.texts, findTemplate: findTemplateVersion }),
    messageList,
    messageGet,
    messageCancel,
    replyList,
    replyDecide,
    campaignGenerate({ ...facilities, ...facilities.settings }),
    campaignSave(facilities),
    campaignList,
    campaignGet,
    campaignPreview(planning),
    campaignTest({ ...planning, words: facilities.texts.templates, membersOf }),
    campaignDeploy({ ...planning, appUrl: facilities.appUrl }),
    campaignPause,
    campaignResume({ ...planning, appUrl: facilities.appUrl }),
    campaignWhy,
    campaignResend,
    campaignCancel,
    domainAdd(facilities.domains),
    domainStatus(facilities.domains),
    domainRemove(facilities.domains),
    webhookFailed,
    webhookDeliveries(facilities),
    webhookReplay,
    webhookTest,
  ]
  return catalog
}
