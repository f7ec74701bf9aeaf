# Completion of castled's commands, written from bot/cli by tests/pages.
_castled_files() {
    compopt -o filenames 2>/dev/null
    mapfile -t COMPREPLY < <(compgen -f -- "$cur")
}

_castled() {
    local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD-1]} command='' words='' i
    COMPREPLY=()
    for ((i = 1; i < COMP_CWORD; i++)); do
        case ${COMP_WORDS[i]} in
        --config | --instance) ((i++)) ;;
        -*) ;;
        *) command=${COMP_WORDS[i]}; break ;;
        esac
    done
    case $command:$prev in
    *:--config) _castled_files; return ;;
    *:--instance) return ;;
    :*) words="--config --instance --version --help run init check login upgrade human explain status watch drain resume reload abort resign draw say engine log-level challenge tournament gauntlet games pgn stats why analyse engine-log replay report" ;;
    run:--for) words="" ;;
    run:--deadline) words="" ;;
    run:--record) _castled_files; return ;;
    run:*) words="--help --for --drain --deadline --record" ;;
    init:*) words="--help" ;;
    check:*) words="--help --notify --show" ;;
    login:--token-file) _castled_files; return ;;
    login:--port) words="" ;;
    login:--timeout) words="" ;;
    login:*) words="--help --token-file --port --timeout" ;;
    upgrade:*) words="--help --yes" ;;
    human:--check) _castled_files; return ;;
    human:*) words="--help --check" ;;
    explain:*) words="--help"; [[ $cur == -* ]] || { _castled_files; return; } ;;
    status:*) words="--help --json --health" ;;
    watch:*) words="--help latest" ;;
    drain:--deadline) words="" ;;
    drain:*) words="--help --deadline" ;;
    resume:*) words="--help" ;;
    reload:*) words="--help" ;;
    abort:*) words="--help latest" ;;
    resign:*) words="--help latest" ;;
    draw:*) words="--help latest" ;;
    say:*) words="--help latest" ;;
    engine:*) words="--help use" ;;
    log-level:*) words="--help error warning info debug" ;;
    challenge:--fen) words="" ;;
    challenge:--games) words="" ;;
    challenge:--at) words="" ;;
    challenge:--cancel) words="" ;;
    challenge:*) words="--help rated casual standard chess960 fromPosition antichess atomic crazyhouse horde kingOfTheHill racingKings threeCheck white black --fen --games --at --again --cancel" ;;
    tournament:--password) words="" ;;
    tournament:--team) words="" ;;
    tournament:*) words="--help join leave --password --team" ;;
    gauntlet:--games) words="" ;;
    gauntlet:*) words="--help rated casual standard chess960 fromPosition antichess atomic crazyhouse horde kingOfTheHill racingKings threeCheck --games --anew"; [[ $cur == -* ]] || { _castled_files; return; } ;;
    games:--opponent) words="" ;;
    games:--account) words="" ;;
    games:--variant) words="standard chess960 fromPosition antichess atomic crazyhouse horde kingOfTheHill racingKings threeCheck" ;;
    games:--speed) words="bullet blitz rapid classical correspondence" ;;
    games:--since) words="" ;;
    games:--until) words="" ;;
    games:--limit) words="" ;;
    games:*) words="--help --opponent --account --humans --bots --won --lost --drawn --rated --casual --variant --speed --since --until --limit --json" ;;
    pgn:--opponent) words="" ;;
    pgn:--account) words="" ;;
    pgn:--variant) words="standard chess960 fromPosition antichess atomic crazyhouse horde kingOfTheHill racingKings threeCheck" ;;
    pgn:--speed) words="bullet blitz rapid classical correspondence" ;;
    pgn:--since) words="" ;;
    pgn:--until) words="" ;;
    pgn:--limit) words="" ;;
    pgn:*) words="--help --analysis --opponent --account --humans --bots --won --lost --drawn --rated --casual --variant --speed --since --until --limit" ;;
    stats:--by) words="all colour speed clock variant kind opponent opening variation reason book month week time losses engine opponent-engine" ;;
    stats:--compare) words="" ;;
    stats:--format) words="table csv json" ;;
    stats:--opponent) words="" ;;
    stats:--account) words="" ;;
    stats:--variant) words="standard chess960 fromPosition antichess atomic crazyhouse horde kingOfTheHill racingKings threeCheck" ;;
    stats:--speed) words="bullet blitz rapid classical correspondence" ;;
    stats:--since) words="" ;;
    stats:--until) words="" ;;
    stats:--limit) words="" ;;
    stats:*) words="--help --by --compare --format --json --opponent --account --humans --bots --won --lost --drawn --rated --casual --variant --speed --since --until --limit" ;;
    why:--nodes) words="" ;;
    why:*) words="--help latest --nodes" ;;
    analyse:--judge) words="" ;;
    analyse:--nodes) words="" ;;
    analyse:--opponent) words="" ;;
    analyse:--account) words="" ;;
    analyse:--variant) words="standard chess960 fromPosition antichess atomic crazyhouse horde kingOfTheHill racingKings threeCheck" ;;
    analyse:--speed) words="bullet blitz rapid classical correspondence" ;;
    analyse:--since) words="" ;;
    analyse:--until) words="" ;;
    analyse:--limit) words="" ;;
    analyse:*) words="--help --epd --judge --nodes --opponent --account --humans --bots --won --lost --drawn --rated --casual --variant --speed --since --until --limit" ;;
    engine-log:*) words="--help --follow" ;;
    replay:--ply) words="" ;;
    replay:--engine) words="" ;;
    replay:--of) words="" ;;
    replay:--times) words="" ;;
    replay:*) words="--help --ply --engine --of --times --same" ;;
    report:--log) _castled_files; return ;;
    report:--output) _castled_files; return ;;
    report:*) words="--help --log --output" ;;
    esac
    mapfile -t COMPREPLY < <(compgen -W "$words" -- "$cur")
}
complete -F _castled castled
