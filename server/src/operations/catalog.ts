/**
 * The list of operations, in the order in which assistants see them. Adding an operation takes one
 * line here. Everything that a caller sees is derived from its definition.
 */

import { addressChange } from '../accounts/addresses/change.ts'
import { addressGet } from '../accounts/addresses/get.ts'
import { factorAccept } from '../accounts/factors/accept.ts'
import { factorAdd } from '../accounts/factors/add.ts'
import { factorCodes } from '../accounts/factors/codes-anew.ts'
import { factorConfirm } from '../accounts/factors/confirm.ts'
import { factorList } from '../accounts/factors/list.ts'
import { factorRemove } from '../accounts/factors/remove.ts'
import { factorRequire } from '../accounts/factors/require.ts'
import { factorReset } from '../accounts/factors/reset.ts'
import { factorRules } from '../accounts/factors/rules.ts'
import { factorStart } from '../accounts/factors/start.ts'
import { factorStopReset } from '../accounts/factors/stop-reset.ts'
import { factorWithdrawReset } from '../accounts/factors/withdraw-reset.ts'
import {
  companyGet,
  companyProve,
  companyRemove,
  companySave,
} from '../accounts/identities/company.ts'
import { identityList, identityUnlink } from '../accounts/identities/identity.ts'
import { memberRelease } from '../accounts/identities/release-member.ts'
import { memberLeave } from '../accounts/members/leave.ts'
import { invitationList } from '../accounts/members/list-invitations.ts'
import { memberList } from '../accounts/members/list-members.ts'
import { membersOf } from '../accounts/members/members.ts'
import { memberRemove } from '../accounts/members/remove-member.ts'
import { memberSave } from '../accounts/members/save-member.ts'
import { invitationWithdraw } from '../accounts/members/withdraw-invitation.ts'
import { ownershipAnswer, ownershipGet, ownershipOffer } from '../accounts/ownership/ownership.ts'
import { passkeyAdd } from '../accounts/passkeys/add.ts'
import { passkeyConfirm } from '../accounts/passkeys/confirm.ts'
import { passkeyList } from '../accounts/passkeys/list.ts'
import { passkeyRemove } from '../accounts/passkeys/remove.ts'
import { passkeySave } from '../accounts/passkeys/save.ts'
import { passkeyStart } from '../accounts/passkeys/start.ts'
import { businessCreate } from '../accounts/settings/create.ts'
import { businessGet } from '../accounts/settings/get.ts'
import { businessList } from '../accounts/settings/list.ts'
import { businessSave } from '../accounts/settings/save.ts'
import { sessionEnd } from '../accounts/sign-in/end-session.ts'
import { sessionList } from '../accounts/sign-in/list-sessions.ts'
import { activity } from '../assistants/activity.ts'
import { connectionResume, connectionStop } from '../assistants/connection.ts'
import { mandateEnd, mandateList, mandateSave, mandateSign } from '../assistants/mandate.ts'
import {
  proposalCancel,
  proposalDecide,
  proposalGet,
  proposalList,
  proposalSave,
} from '../assistants/proposals.ts'
import { messagePropose } from '../assistants/propose.ts'
import { removalCancel, removalComplete, removalList } from '../assistants/removals.ts'
import { sendingGet, sendingResume, sendingStop } from '../assistants/sending.ts'
import { brandGet, brandSet } from '../brand/brand.ts'
import { brandReadSite } from '../brand/read-site.ts'
import { campaignsNaming, campaignsOfTopic } from '../campaigns/audience/naming.ts'
import { campaignCancel } from '../campaigns/cancel.ts'
import { campaignConfirmation } from '../campaigns/confirmation.ts'
import { campaignCopy } from '../campaigns/copy.ts'
import { campaignDecide } from '../campaigns/decide.ts'
import { campaignDeploy } from '../campaigns/deploy.ts'
import { campaignGenerate } from '../campaigns/generate.ts'
import { campaignGet } from '../campaigns/get.ts'
import { campaignList } from '../campaigns/list.ts'
import { mandatesFor } from '../campaigns/mandates/mandate.ts'
import { campaignPause } from '../campaigns/pause.ts'
import { campaignPicture } from '../campaigns/picture.ts'
import { campaignPreview } from '../campaigns/preview.ts'
import { latestProviders } from '../campaigns/providers/latest.ts'
import { campaignLiftHold } from '../campaigns/providers/lift-hold.ts'
import { campaignResend } from '../campaigns/resend.ts'
import { templateResults } from '../campaigns/results/results-of-template.ts'
import { campaignResume } from '../campaigns/resume.ts'
import { campaignSample } from '../campaigns/sample.ts'
import { campaignSave } from '../campaigns/save.ts'
import { campaignSend } from '../campaigns/send.ts'
import { campaignTest } from '../campaigns/test.ts'
import { campaignUnschedule } from '../campaigns/unschedule.ts'
import { campaignWhy } from '../campaigns/why.ts'
import { businessClose } from '../closings/close.ts'
import { contactErase } from '../contacts/erase.ts'
import { contactFieldsList } from '../contacts/fields/fields.ts'
import { contactGet } from '../contacts/get.ts'
import { contactGetByEmail } from '../contacts/get-by-email.ts'
import { contactGetByExternalId } from '../contacts/get-by-external-id.ts'
import { contactCheck } from '../contacts/hygiene/check.ts'
import { contactImport } from '../contacts/import.ts'
import { contactList } from '../contacts/list.ts'
import { contactMerge } from '../contacts/merge.ts'
import { contactTrack } from '../contacts/own-events/track.ts'
import { readPerson } from '../contacts/recipients.ts'
import { copySegments, copyTopics } from '../contacts/segments/copy-segments.ts'
import { segmentDelete } from '../contacts/segments/delete.ts'
import { segmentExplain } from '../contacts/segments/explain.ts'
import { segmentGet } from '../contacts/segments/get.ts'
import { segmentList } from '../contacts/segments/list.ts'
import { segmentSave } from '../contacts/segments/save.ts'
import { suppressionImport } from '../contacts/suppressions/import.ts'
import { suppressionLift } from '../contacts/suppressions/lift.ts'
import { suppressionList } from '../contacts/suppressions/list.ts'
import { contactSuppress } from '../contacts/suppressions/suppress.ts'
import { contactTag } from '../contacts/tagging/tag.ts'
import { noteAdd, noteDelete } from '../contacts/timeline/note.ts'
import { topicList } from '../contacts/topics/list.ts'
import { topicSave } from '../contacts/topics/save.ts'
import { readTopic } from '../contacts/topics/topic.ts'
import { contactUpsert } from '../contacts/upsert.ts'
import type { Operation } from '../core/operation.ts'
import { auditChoices } from '../events/audit-log/choices.ts'
import { auditList } from '../events/audit-log/list.ts'
import { changes } from '../events/changes.ts'
import { exportCreate } from '../exports/create.ts'
import { contactExport } from '../exports/export.ts'
import { auditExport } from '../exports/export-audit.ts'
import { feedDecide } from '../feeds/decide.ts'
import { feedDelete } from '../feeds/delete.ts'
import { feedGet } from '../feeds/get.ts'
import { feedList } from '../feeds/list.ts'
import { feedPause } from '../feeds/pause.ts'
import { feedPreview } from '../feeds/preview.ts'
import { feedResume } from '../feeds/resume.ts'
import { feedSave } from '../feeds/save.ts'
import { feedStart } from '../feeds/start.ts'
import { copyForms } from '../forms/copy-forms.ts'
import { formGallery } from '../forms/gallery.ts'
import { formGet } from '../forms/get.ts'
import { formDiscard, formHeld, formRelease } from '../forms/guard/held.ts'
import { formList } from '../forms/list.ts'
import { submissionList } from '../forms/list-submissions.ts'
import { formSave } from '../forms/save.ts'
import { formSubmit } from '../forms/submit.ts'
import { imageDelete } from '../images/delete.ts'
import { imageList } from '../images/list.ts'
import { imageUpload } from '../images/upload.ts'
import { importCancel } from '../imports/cancel.ts'
import { importConfirm } from '../imports/confirm.ts'
import { importCreate } from '../imports/create.ts'
import { importGet } from '../imports/get.ts'
import { importList } from '../imports/list.ts'
import { importPause } from '../imports/pause.ts'
import { importUndo } from '../imports/undo.ts'
import { replyDecide } from '../inbound-sms/decide.ts'
import { replyList } from '../inbound-sms/list.ts'
import { messageCancel } from '../messages/cancel.ts'
import { messageGet } from '../messages/get.ts'
import { inboxGet, inboxList } from '../messages/inbox.ts'
import { messageList } from '../messages/list.ts'
import { messageReschedule } from '../messages/reschedule.ts'
import { emailSendBatch } from '../messages/send-batch-email.ts'
import { smsSendBatch } from '../messages/send-batch-sms.ts'
import { emailSend } from '../messages/send-email.ts'
import { smsSend } from '../messages/send-sms.ts'
import { keyActivity } from '../oauth/api-keys/activity.ts'
import { keyCreate } from '../oauth/api-keys/create.ts'
import { keyList } from '../oauth/api-keys/list.ts'
import { keyRevoke } from '../oauth/api-keys/revoke.ts'
import { keySave } from '../oauth/api-keys/save.ts'
import { keyTakeOver } from '../oauth/api-keys/take-over.ts'
import { connectionActivity } from '../oauth/connections/activity.ts'
import { connectionList } from '../oauth/connections/list.ts'
import { connectionRevoke } from '../oauth/connections/revoke.ts'
import { connectionSave } from '../oauth/connections/save.ts'
import { reportAudience } from '../reports/audience.ts'
import { reportGrowth } from '../reports/growth.ts'
import { reportCampaign, reportCompare } from '../reports/report.ts'
import { retentionPreview } from '../retention/preview.ts'
import { domainAdd } from '../sender-domains/operations/add.ts'
import { domainRemove } from '../sender-domains/operations/remove.ts'
import { domainStateVolume } from '../sender-domains/operations/state-volume.ts'
import { domainStatus } from '../sender-domains/operations/status.ts'
import { sequenceCopy } from '../sequences/copy.ts'
import { sequenceDecide } from '../sequences/decide.ts'
import { sequenceDelete } from '../sequences/delete.ts'
import { sequenceEnrol } from '../sequences/enrol.ts'
import { sequenceGallery } from '../sequences/gallery.ts'
import { sequenceGet } from '../sequences/get.ts'
import { sequenceList } from '../sequences/list.ts'
import { sequencePause } from '../sequences/pause.ts'
import { sequencePreview } from '../sequences/preview.ts'
import { sequenceRemove } from '../sequences/remove.ts'
import { sequenceResume } from '../sequences/resume.ts'
import { sequenceSave } from '../sequences/save.ts'
import { sequenceStart } from '../sequences/start.ts'
import { sequenceStop } from '../sequences/stop.ts'
import { sequenceWhy } from '../sequences/why.ts'
import { statusGet } from '../status/get.ts'
import { operatorOperations } from '../status/operating/operator.ts'
import { templateConvert } from '../templates/convert.ts'
import { copyTemplates } from '../templates/copy-templates.ts'
import { templateDelete } from '../templates/delete.ts'
import { templateGallery } from '../templates/gallery.ts'
import { templateGet } from '../templates/get.ts'
import { templateList } from '../templates/list.ts'
import { templateMark } from '../templates/mark.ts'
import { templatePreview } from '../templates/preview.ts'
import { templateSave } from '../templates/save.ts'
import { findTemplateVersion } from '../templates/version.ts'
import { templateVersions } from '../templates/versions.ts'
import { usageReport } from '../usage/usage.ts'
import { webhookDelete } from '../webhooks/operations/delete.ts'
import { webhookDeliveries } from '../webhooks/operations/deliveries.ts'
import { webhookFailed } from '../webhooks/operations/failed.ts'
import { webhookGet } from '../webhooks/operations/get.ts'
import { webhookHandOver } from '../webhooks/operations/hand-over.ts'
import { webhookList } from '../webhooks/operations/list.ts'
import { webhookReplay } from '../webhooks/operations/replay.ts'
import { webhookRetry } from '../webhooks/operations/retry.ts'
import { webhookRotate } from '../webhooks/operations/rotate.ts'
import { webhookSave } from '../webhooks/operations/save.ts'
import { webhookTest } from '../webhooks/operations/test.ts'
import { capabilities, type Facilities } from './capabilities.ts'
import { findTools } from './find.ts'
import { me } from './me.ts'

/**
 * The operations that only people can call, in the app. No connection can call them, whatever its
 * scopes. They are not in the tools, the reference or the SDK.
 */
export function appCatalogOf(
  facilities: Pick<
    Facilities,
    | 'appUrl'
    | 'defaultTier'
    | 'defaultDeployLimit'
    | 'exports'
    | 'invitations'
    | 'leaving'
    | 'passkeys'
    | 'company'
    | 'factors'
    | 'senders'
    | 'templates'
    | 'campaigns'
    | 'images'
    | 'status'
    | 'traces'
    | 'domains'
    | 'webhooks'
  >,
): readonly Operation[] {
  const planning = { ...facilities, ...facilities.campaigns }
  return [
    memberList,
    memberSave(facilities.invitations),
    memberRemove(facilities.leaving),
    memberRelease,
    suppressionLift,
    invitationList,
    invitationWithdraw,
    businessCreate({
      tier: facilities.defaultTier,
      deployLimit: facilities.defaultDeployLimit,
      copyTopics,
      copyTemplates,
      copyForms,
      copySegments,
    }),
    businessClose,
    keyCreate,
    keyList,
    keySave(facilities),
    templateMark,
    keyActivity,
    keyRevoke,
    keyTakeOver,
    webhookHandOver(facilities.webhooks),
    connectionList,
    connectionSave(facilities),
    connectionActivity,
    connectionRevoke,
    connectionStop,
    connectionResume,
    mandateSign(facilities),
    mandateSave,
    mandateEnd,
    removalComplete(facilities),
    proposalSave,
    proposalDecide,
    sendingGet,
    sendingStop,
    sendingResume,
    sessionList,
    sessionEnd,
    passkeyStart(facilities.passkeys),
    passkeyAdd(facilities.passkeys, facilities.factors),
    passkeyConfirm(facilities.passkeys),
    passkeyList(facilities.passkeys),
    passkeySave,
    passkeyRemove(facilities.passkeys),
    factorList(facilities.factors),
    factorStart(facilities.factors),
    factorAdd(facilities.factors),
    factorRemove(facilities.factors),
    factorCodes(facilities.factors),
    factorConfirm(facilities.factors),
    factorRules(facilities.factors),
    factorRequire(facilities.factors),
    factorReset(facilities.factors),
    factorStopReset(facilities.factors),
    factorWithdrawReset(facilities.factors),
    factorAccept(facilities.factors),
    identityList,
    identityUnlink(facilities.factors),
    companyGet(facilities.company),
    companySave(facilities.company),
    companyProve(facilities.company),
    companyRemove(facilities.company),
    addressGet,
    addressChange(facilities.factors),
    ownershipOffer(facilities.factors),
    ownershipGet,
    ownershipAnswer(facilities.factors),
    statusGet(facilities.status),
    ...operatorOperations(facilities.status),
    auditList,
    auditChoices,
    auditExport(facilities.exports),
    campaignSample(planning),
    campaignConfirmation(planning),
    campaignPicture(planning),
    campaignSend({ ...planning, appUrl: facilities.appUrl }),
    campaignDecide(planning),
    sequenceDecide(planning),
    feedDecide(feedParts(facilities)),
    campaignLiftHold,
    // Last, because tests call all operations in this order, and a member who has left cannot call
    // the others.
    memberLeave(facilities.leaving),
  ]
}

const feedParts = ({
  senders,
  templates,
  campaigns: { audienceTurns },
  images: { outbound },
  appUrl,
}: Pick<Facilities, 'senders' | 'templates' | 'campaigns' | 'images' | 'appUrl'>) => ({
  senders,
  templates,
  audienceTurns,
  outbound,
  appUrl,
})

const named = { findTemplate: findTemplateVersion, findTopic: readTopic }

export function catalogOf(facilities: Facilities): readonly Operation[] {
  const planning = { ...facilities, ...facilities.campaigns }
  const feeds = feedParts(facilities)
  const catalog: readonly Operation[] = [
    businessList({ ...facilities.settings, mandatesFor }),
    businessGet(facilities.settings),
    businessSave(facilities.settings),
    brandGet(facilities.brand),
    brandSet(facilities.brand),
    brandReadSite(facilities.brand),
    retentionPreview(facilities),
    capabilities(() => catalog, facilities),
    findTools({
      catalog: () => catalog,
      passagesOf: facilities.passagesOf(() => catalog),
      meaningsOf: facilities.meaningsOf,
    }),
    me,
    usageReport(latestProviders),
    changes,
    activity,
    mandateList,
    removalList,
    removalCancel,
    messagePropose,
    proposalList,
    proposalGet,
    proposalCancel,
    contactUpsert,
    contactImport(),
    contactTrack,
    contactTag,
    contactList,
    contactFieldsList,
    contactCheck(facilities),
    contactGet,
    contactGetByEmail,
    contactGetByExternalId,
    contactMerge(facilities),
    contactSuppress,
    contactErase,
    suppressionList,
    suppressionImport,
    noteAdd,
    noteDelete,
    topicSave({ campaignsOfTopic }),
    topicList,
    importCreate(facilities.imports),
    importGet(facilities.imports),
    importConfirm,
    importList,
    importPause,
    importCancel(facilities.imports),
    importUndo,
    exportCreate(facilities.exports),
    contactExport(facilities.exports),
    segmentSave,
    segmentList,
    segmentGet,
    segmentExplain,
    segmentDelete({ campaignsNaming }),
    formList(facilities),
    formGet(facilities),
    formSave(facilities),
    formGallery,
    formSubmit(facilities),
    formHeld,
    formRelease,
    formDiscard,
    submissionList,
    templateList,
    templateGet,
    templateGallery,
    templateSave(facilities),
    templatePreview({ ...facilities, readRecipient: readPerson }),
    templateConvert(facilities),
    templateVersions,
    templateDelete,
    templateResults,
    imageUpload(facilities.images),
    imageList(facilities.images),
    imageDelete,
    webhookSave(facilities.webhooks),
    webhookList(facilities.webhooks),
    webhookGet(facilities.webhooks),
    webhookDelete,
    webhookRotate(facilities.webhooks),
    emailSend({ ...facilities.texts, ...facilities, ...named }),
    smsSend({ ...facilities.texts, ...named, sms: facilities.sms }),
    emailSendBatch({ ...facilities.texts, ...facilities, ...named }),
    smsSendBatch({ ...facilities.texts, ...named, sms: facilities.sms }),
    messageList(named),
    messageGet(facilities),
    messageReschedule,
    messageCancel,
    inboxList(facilities),
    inboxGet(facilities),
    replyList,
    replyDecide,
    campaignGenerate({ ...facilities, ...facilities.settings }),
    campaignSave(facilities),
    campaignList,
    campaignGet(facilities),
    campaignPreview(planning),
    campaignTest({ ...planning, words: facilities.texts.templates, membersOf }),
    campaignDeploy({ ...planning, appUrl: facilities.appUrl }),
    campaignPause,
    campaignResume({ ...planning, appUrl: facilities.appUrl }),
    campaignWhy,
    campaignResend,
    campaignUnschedule,
    campaignCopy,
    campaignCancel,
    reportGrowth,
    reportCampaign(planning),
    reportCompare(planning),
    reportAudience,
    sequenceSave(facilities),
    sequenceGallery,
    sequenceList,
    sequenceGet,
    sequencePreview(planning),
    sequenceStart({ ...planning, appUrl: facilities.appUrl }),
    sequencePause,
    sequenceResume,
    sequenceStop,
    sequenceEnrol,
    sequenceRemove,
    sequenceWhy,
    sequenceCopy,
    sequenceDelete,
    feedSave(facilities),
    feedList,
    feedGet,
    feedPreview(feeds),
    feedStart(feeds),
    feedPause,
    feedResume,
    feedDelete,
    domainAdd(facilities.domains),
    domainStatus(facilities.domains, facilities.warmUpOf, facilities.refusingProvidersOf),
    domainStateVolume,
    domainRemove(facilities.domains),
    webhookFailed,
    webhookDeliveries(facilities),
    webhookReplay,
    webhookRetry,
    webhookTest,
  ]
  return catalog
}
