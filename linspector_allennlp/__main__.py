"""`python -m linspector_allennlp` is `linspector`."""

from linspector import main

if __name__ == "__main__":
    main()
