#!/usr/bin/perl
# A small SMSC on Debian's Net::SMPP: takes texts, writes receipts, and does as it is told on
# its standard input, a line of JSON each; what it sees it tells on its output likewise.
use strict;
use warnings;
use IO::Select;
use JSON::PP;
use Net::SMPP;
use Time::HiRes 'time';

my ($port, $user, $password, $quiet, $delay) = @ARGV;
$| = 1;
my $listener = Net::SMPP->new_listen('127.0.0.1', port => $port, listen => 50)
  or die "no port: $!";
my $readers = IO::Select->new($listener, \*STDIN);
my %bound;          # by file number: the links that have shown the password
my @held;           # answers that wait for the word
my @late;           # answers that wait for their time
my ($hold, $receipts, $last, $told) = (0, 0, 0, '');
my @statuses;       # of the next answers

sub report { print encode_json({@_}), "\n" unless $quiet }
sub links { grep { $bound{fileno $_} } grep { ref $_ eq 'Net::SMPP' } $readers->handles }

sub ended {
  my ($link) = @_;
  $readers->remove($link);
  delete $bound{fileno $link};
  @held = grep { $_->{link} != $link } @held;
  @late = grep { $_->{link} != $link } @late;
  $link->close;
  report(event => 'closed');
}

sub receipt {
  my ($link, $pdu, $id) = @_;
  my $text = sprintf 'id:%s sub:001 dlvrd:001 submit date:2611201200 done date:2611201201 '
    . 'stat:%s err:%s text:secret words', $id, $receipts->{stat}, $receipts->{err} // '000';
  $link->deliver_sm(async => 1, source_addr => $pdu->{destination_addr}, esm_class => 4,
    source_addr_ton => 1, source_addr_npi => 1, destination_addr => $pdu->{source_addr},
    short_message => $text);
}

sub answer {
  my ($link, $pdu) = @_;
  my $status = @statuses ? shift @statuses : 0;
  my $id = sprintf '%08x', ++$last;
  if ($status) { $link->submit_sm_resp(seq => $pdu->{seq}, status => $status, message_id => '') }
  else { $link->submit_sm_resp(seq => $pdu->{seq}, message_id => $id) }
  receipt($link, $pdu, $receipts->{decimal} ? sprintf('%010d', $last) : $id)
    if $receipts && !$status && $pdu->{registered_delivery};
}

sub submitted {
  my ($link, $pdu) = @_;
  push @held, { link => $link, pdu => $pdu } if $hold;
  report(event => 'submit', in_hand => scalar @held, map({ ($_ => $pdu->{$_}) }
      qw(source_addr source_addr_ton source_addr_npi destination_addr dest_addr_ton
      dest_addr_npi esm_class data_coding registered_delivery)),
    message => unpack('H*', $pdu->{short_message}),
    map { ($_ => unpack 'H*', $pdu->{$_}) } grep { defined $pdu->{$_} }
      qw(message_payload sar_msg_ref_num sar_total_segments sar_segment_seqnum));
  if ($delay) { push @late, { link => $link, pdu => $pdu, at => time + $delay / 1000 } }
  elsif (!$hold) { answer($link, $pdu) }
}

sub log_in {
  my ($link, $pdu) = @_;
  my $status = $pdu->{system_id} ne $user ? 0x0f : $pdu->{password} ne $password ? 0x0e : 0;
  $bound{fileno $link} = !$status;
  report(event => $status ? 'refused' : 'bound', version => $pdu->{interface_version});
  $link->bind_transceiver_resp(seq => $pdu->{seq}, status => $status, system_id => 'perl');
}

sub heard {
  my ($link) = @_;
  local $SIG{__WARN__} = sub { };
  my $pdu = $link->read_pdu or return ended($link);
  my $cmd = $pdu->{cmd};
  if ($cmd == Net::SMPP::CMD_bind_transceiver) { log_in($link, $pdu) }
  elsif ($cmd == Net::SMPP::CMD_submit_sm) { submitted($link, $pdu) }
  elsif ($cmd == Net::SMPP::CMD_enquire_link) { $link->enquire_link_resp(seq => $pdu->{seq}) }
  elsif ($cmd == Net::SMPP::CMD_unbind) { $link->unbind_resp(seq => $pdu->{seq}) }
  elsif ($cmd == Net::SMPP::CMD_deliver_sm_resp) { report(event => 'taken', status => $pdu->{status}) }
  elsif ($cmd == Net::SMPP::CMD_generic_nack) { report(event => 'nack', status => $pdu->{status}) }
  else { report(event => 'other', command => $cmd, status => $pdu->{status}) }
}

my %orders = (
  # A text of a phone: message is in hexadecimal.
  inbound => sub {
    my ($order) = @_;
    my %fields = %{ $order->{fields} };
    $fields{short_message} = pack 'H*', $order->{message} // '';
    $fields{$_} = pack 'H*', $fields{$_} for grep { /^sar_|payload/ } keys %fields;
    $_->deliver_sm(async => 1, source_addr_ton => 1, source_addr_npi => 1, %fields) for links();
  },
  raw => sub { my ($order) = @_; $_->syswrite(pack 'H*', $order->{octets}) for links() },
  tell => sub { },
  ask => sub { $_->enquire_link(async => 1) for links() },
  unbind => sub { $_->unbind(async => 1) for links() },
  drop => sub { ended($_) for links() },
  hold => sub { $hold = 1 },
  release => sub { $hold = 0; answer($_->{link}, $_->{pdu}) for splice @held },
  receipts => sub { ($receipts) = @_ },
  statuses => sub { @statuses = @{ $_[0]{next} } },
);

while (1) {
  my $wait = @late ? $late[0]{at} - time : undef;
  my @ready = $readers->can_read(defined $wait && $wait < 0 ? 0 : $wait);
  while (@late && $late[0]{at} <= time) { my $one = shift @late; answer($one->{link}, $one->{pdu}) }
  for my $ready (@ready) {
    if ($ready == $listener) { $readers->add(my $link = $listener->accept); ${*$link}{enquire_interval} = 0 }
    elsif (ref $ready eq 'Net::SMPP') { heard($ready) if $readers->exists($ready) }
    else {
      # sysread, since what a buffer holds already no select tells of.
      exit 0 unless sysread STDIN, $told, 1 << 16, length $told;
      while ($told =~ s/^(.*)\n//) {
        my $line = $1;
        my $order = decode_json($line);
        $orders{ $order->{do} }->($order);
        report(event => 'done', order => $order->{do});
      }
    }
  }
}
