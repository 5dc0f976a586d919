# The manual page and the completions: valid, complete, and working in the shells
# that are here.
. "$(dirname "$0")/common.sh"

try zeroflow docs man
exits 0
empty err
cp out zeroflow.1
for section in NAME SYNOPSIS DESCRIPTION COMMANDS OPTIONS 'EXIT STATUS' ENVIRONMENT FILES EXAMPLES; do
    grep -qx "\.SH $section" zeroflow.1 || fault "no section $section"
done
commands=$(zeroflow --help | sed -n '/^Commands/,/^$/s/^  \([a-z-]\+\) .*/\1/p' | sort)
for command in $commands; do has zeroflow.1 ".SS $command"; done
for name in NO_COLOR ZEROFLOW_ISA; do has zeroflow.1 ".B $name"; done
# Every option that --help shows is in the page.
for command in $commands; do
    zeroflow "$command" --help | grep -oE '^ +(-[a-z], )?--[a-z-]+' | grep -oE -- '--[a-z-]+' > names
    while read -r name; do has zeroflow.1 "\\fB${name//-/\\-}\\fR"; done < names
done
SOURCE_DATE_EPOCH=86400 zeroflow docs man > dated
head -1 dated | grep -q '^\.TH ZEROFLOW 1 1970-01-02 ' || fault "SOURCE_DATE_EPOCH is not respected"
if command -v groff > /dev/null; then
    try groff -ww -man -Tutf8 -z zeroflow.1
    exits 0
    empty err
fi
if command -v mandoc > /dev/null; then
    try mandoc -Tlint zeroflow.1
    exits 0
    empty out
fi

# Completes the words given, the last one being typed; prints the offers.
complete_words()
{
    bash --norc -c '
        . ./zeroflow.bash
        COMP_WORDS=("$@") COMP_CWORD=$(($# - 1))
        _zeroflow
        printf "%s\n" "${COMPREPLY[@]}"' complete "$@" 2> err | sort | tr '\n' ' ' > out
    doing="completing $*"
    empty err
}
try zeroflow docs bash
exits 0
cp out zeroflow.bash
try bash -n zeroflow.bash
exits 0
try bash --norc -c '. ./zeroflow.bash; complete -p zeroflow'
exact out 'complete -F _zeroflow zeroflow'
complete_words zeroflow ''
exact out "$(echo $commands) "
complete_words zeroflow ch
exact out 'check '
complete_words zeroflow help dem
exact out 'demo '
complete_words zeroflow demo --i
exact out '--iterations '
complete_words zeroflow --se
exact out '--seed '
complete_words zeroflow --seed 3 check --al
exact out '--all '
complete_words zeroflow --seed = 3 check --al
exact out '--all '
complete_words zeroflow --vers
exact out '--version '
complete_words zeroflow check --vers
exact out ' '
mkdir 'a folder' && touch 'a file.csv'
complete_words zeroflow check a
exact out 'a file.csv a folder '
complete_words zeroflow demo -o a
exact out 'a folder '
complete_words zeroflow demo --output = a
exact out 'a folder '
complete_words zeroflow demo --iterations a
exact out ' '

try zeroflow docs zsh
exits 0
cp out _zeroflow
has out '#compdef zeroflow'
if command -v zsh > /dev/null; then
    try zsh -n _zeroflow
    exits 0
    empty err
fi
try zeroflow docs fish
exits 0
cp out zeroflow.fish
if command -v fish > /dev/null; then
    try fish -n zeroflow.fish
    exits 0
    empty err
    fish -c 'source zeroflow.fish; complete -C "zeroflow demo --it"' > out 2> err
    has out '--iterations'
fi
finish
