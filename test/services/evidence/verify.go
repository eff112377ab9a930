// Verifies a checkpoint, an inclusion proof and a consistency proof with golang.org/x/mod/sumdb.
package main

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"os"
	"strings"

	"golang.org/x/mod/sumdb/note"
	"golang.org/x/mod/sumdb/tlog"
)

type input struct {
	Key         string
	Earlier     string
	Checkpoint  string
	Leaf        string
	Sequence    int64
	Inclusion   []string
	Consistency []string
}

func must(err error) {
	if err != nil {
		fmt.Println(err)
		os.Exit(1)
	}
}

func open(text, key string) tlog.Tree {
	verifier, err := note.NewVerifier(key)
	must(err)
	opened, err := note.Open([]byte(text), note.VerifierList(verifier))
	must(err)
	lines := strings.Split(opened.Text, "\n")
	if lines[0] != verifier.Name() {
		must(fmt.Errorf("origin %s", lines[0]))
	}
	var tree tlog.Tree
	_, err = fmt.Sscan(lines[1], &tree.N)
	must(err)
	tree.Hash, err = tlog.ParseHash(lines[2])
	must(err)
	return tree
}

func hashes(texts []string) []tlog.Hash {
	found := []tlog.Hash{}
	for _, text := range texts {
		bytes, err := base64.StdEncoding.DecodeString(text)
		must(err)
		var hash tlog.Hash
		copy(hash[:], bytes)
		found = append(found, hash)
	}
	return found
}

func main() {
	var in input
	must(json.NewDecoder(os.Stdin).Decode(&in))
	earlier, tree := open(in.Earlier, in.Key), open(in.Checkpoint, in.Key)
	must(tlog.CheckRecord(hashes(in.Inclusion), tree.N, tree.Hash, in.Sequence, tlog.RecordHash([]byte(in.Leaf))))
	must(tlog.CheckTree(hashes(in.Consistency), tree.N, tree.Hash, earlier.N, earlier.Hash))
	fmt.Printf("leaf %d is in the tree of size %d, which continues that of size %d\n", in.Sequence, tree.N, earlier.N)
}
