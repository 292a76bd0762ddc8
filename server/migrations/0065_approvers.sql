-- An approver sees everything that a viewer sees, and decides on campaigns that await approval.
alter table connections drop constraint connections_role_check,
  add constraint connections_role_check
    check (role in ('owner', 'admin', 'editor', 'approver', 'viewer'));
alter table invitations drop constraint invitations_role_check,
  add constraint invitations_role_check
    check (role in ('owner', 'admin', 'editor', 'approver', 'viewer'));
alter table memberships drop constraint memberships_role_check,
  add constraint memberships_role_check
    check (role in ('owner', 'admin', 'editor', 'approver', 'viewer'));
